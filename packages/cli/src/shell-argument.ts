/** A path as one argument of a POSIX shell, which reads nothing in it. */
export function shellArgument(path: string): string {
  const file = path.startsWith('-') ? `./${path}` : path;
  return /[^\w.:/-]/.test(file) ? `'${file.replaceAll("'", "'\\''")}'` : file;
}
