import { lstatSync } from 'node:fs';
import { displayText, StepforkError } from '@stepfork/trace-format';

/**
 * Refuses a place that a test file cannot take: `output_exists`, `output_is_directory`. Asked before the agent runs,
 * which may take long; writing asks again.
 */
export function requireFreePlace(file: string, overwrite: boolean): void {
  // A link is something that lies there, wherever it leads.
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) {
    throw new StepforkError(
      'output_is_directory',
      `${displayText(file)} is a folder: name the test file to write with --output`,
      { details: { path: file } },
    );
  }
  if (overwrite) return;
  throw new StepforkError(
    'output_exists',
    `${displayText(file)} exists: pass --overwrite to replace it, or name another file with --output`,
    { details: { path: file } },
  );
}
