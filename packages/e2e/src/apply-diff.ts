/**
 * Applies a `diff` block to a file's text. Hunk headers are optional: each run of lines between them is found by
 * its own content, which must stand in the file exactly once.
 */
export function applyDiff(text: string, diff: string): string {
  let changed = text;
  for (const hunk of hunks(diff)) {
    const before = hunk.filter((line) => !line.startsWith('+')).map(withoutMark);
    const after = hunk.filter((line) => !line.startsWith('-')).map(withoutMark);
    const found = changed.split(before.join('\n')).length - 1;
    if (found !== 1) throw new Error(`the diff's lines stand ${found} times in the file:\n${before.join('\n')}`);
    changed = changed.replace(before.join('\n'), () => after.join('\n'));
  }
  return changed;
}

const withoutMark = (line: string): string => line.slice(1);

function hunks(diff: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('@@')) found.push([]);
    else if (!/^(---|\+\+\+) /.test(line)) found.at(-1)?.push(line === '' ? ' ' : line);
  }
  return found.filter((hunk) => hunk.length > 0);
}
