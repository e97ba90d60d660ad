import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packBundle, unpackBundle } from '@stepfork/trace-format';
import { StepforkError } from '@stepfork/trace-format/write';

/**
 * Changes a packed bundle: unpacks it into a folder beside its new place, changes that, and packs it again. Until the
 * result is whole and is put there by renaming, nothing lies in its place but what lay there before.
 *
 * @throws StepforkError `write_failed`, `output_exists`, and what packing, unpacking and `change` throw
 */
export function changePacked<T>(path: string, target: string, change: (folder: string) => T): T {
  const work = writing(target, () => {
    mkdirSync(dirname(target), { recursive: true });
    return mkdtempSync(join(dirname(target), `.${basename(target)}.scrub-`));
  });
  try {
    const unpacked = unpackBundle(path, join(work, 'bundle.sftrace'));
    const result = change(unpacked);
    if (target !== path) packBundle(unpacked, target);
    else {
      const packed = packBundle(unpacked, join(work, 'packed.sftrace'));
      writing(target, () => renameSync(packed, target));
    }
    return result;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function writing<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    const errno = String((cause as { code?: unknown }).code);
    throw new StepforkError('write_failed', `${path}: writing failed (${errno})`, {
      details: { file: path, errno },
      cause,
    });
  }
}
