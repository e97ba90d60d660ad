import { constants, copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StepforkError } from '@stepfork/trace-format/write';
import type { Member } from './members.js';

/**
 * Copies a file into another bundle.
 *
 * @throws StepforkError `write_failed`
 */
export function copyMember({ name, path }: Member, bundle: string): void {
  const copy = join(bundle, name);
  try {
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    copyFileSync(path, copy, constants.COPYFILE_EXCL);
  } catch (cause) {
    const errno = String((cause as { code?: unknown }).code);
    throw new StepforkError('write_failed', `${copy}: copying failed (${errno})`, {
      details: { file: copy, errno },
      cause,
    });
  }
}
