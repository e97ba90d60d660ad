import { writeFileSync } from 'node:fs';

/** Has whoever asked for it know that somebody has taken the recording. */
export function tellTaken(file: string | undefined): void {
  if (file === undefined) return;
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch {
    // Whoever asked for it is told wrong; the recording is not to suffer from that.
  }
}
