import { readFileSync } from 'node:fs';
import {
  displayText,
  formatPath,
  isJsonArray,
  isJsonObject,
  type Json,
  type PathSegment,
  parseJson,
  StepforkError,
} from '@stepfork/trace-format';
import { isSystemError } from './exit-code.js';
import { messageOf } from './failure.js';

/** Reads a JSON file that the command line named. `what` names its role: `expected output`. */
export function readJsonFile(path: string, what: string): Json {
  const json = parse(readText(path, what), path, what);
  const place = tooLarge(json, []);
  if (place === null) return json;
  throw new StepforkError(
    'invalid_json',
    `the ${what} '${path}' holds a number at ${displayText(place)} that is too large: beyond ${Number.MAX_VALUE} it is infinite here, which no JSON is. Correct the file.`,
    { details: { file: path, path: place } },
  );
}

function parse(text: string, path: string, what: string): Json {
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

/** Where a number stands that a JavaScript number cannot hold (`1e400`); null where none does. */
function tooLarge(json: Json, path: readonly PathSegment[]): string | null {
  if (typeof json === 'number') return Number.isFinite(json) ? null : formatPath(path);
  const children: Iterable<readonly [PathSegment, Json | undefined]> = isJsonArray(json)
    ? json.entries()
    : isJsonObject(json)
      ? Object.entries(json)
      : [];
  for (const [key, child] of children) {
    const found = child === undefined ? null : tooLarge(child, [...path, key]);
    if (found !== null) return found;
  }
  return null;
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
