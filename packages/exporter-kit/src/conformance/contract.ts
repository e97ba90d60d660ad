import { StepforkError } from '@stepfork/trace-format';
import type { RegressionCase } from '../case.js';

/** One demand on an exporter. */
export interface ConformanceCheck {
  /** Fit for a test's title: `is red on a wrong output, naming the path`. */
  readonly name: string;
  /** Rejects with `not_conformant` where the exporter does not meet it. */
  readonly check: () => Promise<void>;
}

/** What became of one test file. */
export interface TestOutcome {
  /** Whether all of its tests ran, and passed. */
  readonly passed: boolean;
  /** What the framework said of them: messages of failures in any case. */
  readonly output: string;
}

/** Where rendered tests are run. */
export interface ConformanceWorld {
  /** An empty folder in which the framework, the exporter's package and @stepfork/recorder are found. */
  readonly folder: string;
  /** Runs these test files, given by their paths in the folder; the outcome of each by that path. */
  readonly run: (testFiles: readonly string[]) => Promise<Readonly<Record<string, TestOutcome>>>;
}

/** How an exporter is tried. */
export interface ConformanceOptions {
  /** What the tests are rendered for. */
  readonly target: RegressionCase['target'];
  /** Called once, when the first check needs it. */
  readonly prepare: () => Promise<ConformanceWorld>;
  /** Throws for a text that is not of the language that the file's name says. Without it the run alone judges. */
  readonly parse?: (text: string, fileName: string) => void;
}

export function notConformant(message: string): StepforkError {
  return new StepforkError('not_conformant', message);
}
