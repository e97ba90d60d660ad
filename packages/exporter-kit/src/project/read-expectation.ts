import { readFileSync } from 'node:fs';
import { displayText, type Json, parseJson, StepforkError } from '@stepfork/trace-format';

/**
 * The JSON that an exported test keeps in a file beside it.
 *
 * @param name as the test names it, for messages
 * @throws StepforkError `bad_expectation` for a file that is not there or is no JSON
 */
export function readExpectation(file: string, name: string): Json {
  try {
    return parseJson(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read as JSON (${code ?? message})`;
    throw new StepforkError(
      'bad_expectation',
      `the expectation ${displayText(name)} ${displayText(why)}: restore the file, or export the test anew`,
      { details: { file }, cause },
    );
  }
}
