import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Whether a Ctrl-C on a terminal reaches this process, and so what it started as well: the terminal signals all that is in
 * its foreground. Where that cannot be asked for, a process that has a terminal is taken to be there.
 */
export function isInForeground(): boolean {
  try {
    // The program's name, in parentheses, may hold anything: what counts stands after it.
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch {
    return [0, 1, 2].some((descriptor) => isatty(descriptor));
  }
}
