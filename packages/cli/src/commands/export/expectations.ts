import type { BuildCaseInput } from '@stepfork/exporter-kit';
import { parseExpectation } from '@stepfork/replay';
import { displayText, isStepforkError, type Json, StepforkError } from '@stepfork/trace-format';
import { readJsonFile } from '../../json-file.js';
import { expectedError } from './expected-error.js';

/** What the command line says of the run that is right. At most one of the first four is given. */
export interface ExpectationFlags {
  readonly expectOutput: string | undefined;
  readonly expectMatch: string | undefined;
  readonly expectError: string | undefined;
  readonly expectSame: boolean | undefined;
  readonly expectTrajectory: string | undefined;
}

export type Expectations = Pick<BuildCaseInput, 'expected' | 'match' | 'error' | 'trajectory' | 'same'>;

/** Reads the files that are named. */
export function readExpectations(given: ExpectationFlags): Expectations {
  const { expectOutput, expectMatch, expectError, expectTrajectory, expectSame } = given;
  return {
    ...(expectOutput === undefined ? {} : { expected: readJsonFile(expectOutput, 'expected output') }),
    ...(expectMatch === undefined ? {} : { match: readJsonFile(expectMatch, 'expected part of the output') }),
    ...(expectError === undefined ? {} : { error: expectedError(expectError) }),
    ...(expectTrajectory === undefined ? {} : { trajectory: readTrajectory(expectTrajectory) }),
    ...(expectSame === true ? { same: true } : {}),
  };
}

/** Looked at before any of the user's code runs. */
function readTrajectory(file: string): Json {
  const trajectory = readJsonFile(file, 'expected trajectory');
  try {
    parseExpectation(trajectory, undefined);
  } catch (error) {
    if (!isStepforkError(error, 'bad_expectation')) throw error;
    throw new StepforkError(
      'bad_expectation',
      `the expected trajectory '${displayText(file)}' is none: ${error.message}. Correct the file.`,
      { details: { file }, cause: error },
    );
  }
  return trajectory;
}
