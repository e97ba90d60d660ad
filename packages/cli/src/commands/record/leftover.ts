import { basename, dirname, relative } from 'node:path';
import { displayText } from '@stepfork/trace-format/write';
import { shellArgument } from '../../shell-argument.js';
import { withoutSuffix } from '../../traces/aside.js';
import { readTraceFolder, TRACES } from '../../traces/folder.js';

/**
 * What to say of a recording that its program left unfinished; null where there is none.
 *
 * @param output where the bundle was to be, if that was said
 * @param since milliseconds since the epoch at which the program was started
 */
export function whatIsLeft(output: string | undefined, since: number, ending: string): string | null {
  const folder = output === undefined ? TRACES : relative('', dirname(output)) || '.';
  const stem = output === undefined ? '' : `${withoutSuffix(basename(output))}.`;
  const left = unfinishedIn(folder).find(
    ({ path, writtenAt }) => writtenAt >= since && basename(path).startsWith(stem),
  );
  if (left === undefined) return null;
  const file = displayText(relative('', left.path));
  return `${ending} ended the program while it was recorded. What it had recorded so far is in ${file}, which this makes a bundle: stepfork recover ${shellArgument(file)}`;
}

function unfinishedIn(folder: string) {
  try {
    return readTraceFolder(folder, { mayBeMissing: true }).runs.filter(({ unfinished }) => unfinished);
  } catch {
    // That nothing can be said of it is no failure of the program's.
    return [];
  }
}
