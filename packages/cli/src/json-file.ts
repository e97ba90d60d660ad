import { readFileSync } from 'node:fs';
import { type Json, parseJson, StepforkError } from '@stepfork/trace-format';
import { isSystemError } from './exit-code.js';
import { messageOf } from './failure.js';

/** Reads a JSON file that the command line named. `what` names its role: `expected output`. */
export function readJsonFile(path: string, what: string): Json {
  const text = readText(path, what);
  try {
    // A byte order mark is an editor's habit, not a fault.
    return parseJson(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new StepforkError(
      'invalid_json',
      `the ${what} '${path}' is not JSON: ${messageOf(error)}. Correct the file.`,
      { details: { file: path }, cause: error },
    );
  }
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw new StepforkError('unreadable_file', `the ${what} '${path}' ${why}. Give the path of a JSON file.`, {
      details: { file: path },
      cause: error,
    });
  }
}
