import { basename } from 'node:path';

/** What a test file is called without what makes it one: `notify-agent` of `tests/notify-agent.test.ts`. */
export function fileStem(testFile: string): string {
  return basename(testFile).replace(/(?:\.(?:test|spec))?\.[^.]+$/, '');
}
