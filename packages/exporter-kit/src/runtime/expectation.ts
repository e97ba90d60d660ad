import { dirname, resolve } from 'node:path';
import { readExpectation } from '../project/read-expectation.js';
import { currentTestFile } from './test-file.js';

/**
 * What a JSON file beside the test states, for a matcher: numbers exact, and with the encoding that recordings have
 * for what JSON has no form for. The matcher checks that it is what it can use.
 *
 * @param path from the test file's folder: `./notify-agent.expected.json`
 * @throws StepforkError `bad_expectation` for a file that is not there or is no JSON; `setup_missing`
 */
export function expectation<T = unknown>(path: string): T {
  return readExpectation(resolve(dirname(currentTestFile()), path), path) as T;
}
