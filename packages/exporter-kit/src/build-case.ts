import { basename, dirname, resolve } from 'node:path';
import type { Json, JsonObject, Trace } from '@stepfork/trace-format';
import { displayText, pairCalls } from '@stepfork/trace-format';
import type { CaseOptions, ExpectedError, ImportSuffix, ProjectRule, RegressionCase } from './case.js';
import { problemOf } from './problem.js';
import { recordedRun } from './recorded-run.js';
import { redacted } from './redacted.js';
import { relativePath } from './relative-path.js';
import { importSpecifier } from './specifier.js';
import { redactedTrajectory } from './trajectory.js';

/** What a regression case is built from. Paths are absolute, or relative to the current folder. */
export interface BuildCaseInput {
  readonly trace: Trace;
  /** Where the test is going to find that trace. */
  readonly tracePath: string;
  /** What the bundle there holds (`traceDigest`). Absent: the test does not notice when it is changed. */
  readonly traceDigest?: string;
  readonly entrypointFile: string;
  /** A path alias by which the project imports that file: `@/agent`. Absent: the test imports it by its path. */
  readonly entrypointAlias?: string;
  /** `default`, or the name of an export. */
  readonly exportName: string;
  /** Where the test is going to lie. */
  readonly testFile: string;
  /** What to call the agent with. Absent: the recorded run's own input. */
  readonly input?: Json;
  /** How the test replays, where it is not by the defaults. */
  readonly options?: CaseOptions;
  /** The exporter's own options, as they were given. */
  readonly exporterOptions?: JsonObject;
  /** The project's configuration, a module that the test can import, and which of its rules the replay needs. */
  readonly config?: { readonly file: string; readonly rules: readonly ProjectRule[] };
  /** What the agent should have returned. Without an expectation the test pins what was recorded. */
  readonly expected?: Json;
  /** What of the agent's output should have been so, in place of all of it. */
  readonly match?: Json;
  /** What the agent should have thrown. */
  readonly error?: ExpectedError;
  /** What the calls should have been. Beside it the output is judged only where something is said of it. */
  readonly trajectory?: Json;
  /** The test pins what was recorded, as it would without any expectation. */
  readonly same?: boolean;
  /** Default: made from the agent's name. */
  readonly title?: string;
  readonly target: RegressionCase['target'] & { readonly importSuffix: ImportSuffix };
}

/**
 * Everything an exporter needs to know, worked out of a trace and of where the files lie. Reads no file.
 *
 * @throws StepforkError `bad_expectation` for a trajectory that is none
 */
export function buildCase(input: BuildCaseInput): RegressionCase {
  const { trace, exportName, target, traceDigest, config, exporterOptions } = input;
  const expectation = expectationIn(input);
  const recorded = recordedRun(trace);
  const testFile = resolve(input.testFile);
  const folder = dirname(testFile);
  const entrypointFile = resolve(input.entrypointFile);
  return {
    title: titleOf(input),
    agentName: trace.agent_name,
    runId: trace.run_id,
    createdAt: trace.created_at,
    problem: problemOf({ ...expectation, ...recorded }),
    fileName: basename(testFile),
    target: { module: target.module, typescript: target.typescript, globals: target.globals },
    entrypoint: {
      specifier: input.entrypointAlias ?? importSpecifier(folder, entrypointFile, target.importSuffix),
      exportName,
      file: input.entrypointAlias ?? relativePath(folder, entrypointFile),
    },
    trace: {
      path: relativePath(folder, resolve(input.tracePath)),
      ...(traceDigest === undefined ? {} : { digest: traceDigest }),
    },
    ...(input.input === undefined ? {} : { input: redacted(input.input) }),
    ...(input.options === undefined || Object.keys(input.options).length === 0 ? {} : { options: input.options }),
    ...(exporterOptions === undefined || Object.keys(exporterOptions).length === 0 ? {} : { exporterOptions }),
    ...(config === undefined
      ? {}
      : {
          config: {
            specifier: importSpecifier(folder, resolve(config.file), target.importSuffix),
            rules: config.rules,
          },
        }),
    ...expectation,
    ...recorded,
    recordedCalls: pairCalls(trace.events).map(({ kind, name }) => ({ kind, name })),
    timeoutMs: timeoutFor(trace),
  };
}

type Expectation = Pick<RegressionCase, 'expected' | 'match' | 'error' | 'trajectory' | 'same'>;

function expectationIn({ expected, match, error, trajectory, same }: BuildCaseInput): Expectation {
  return {
    ...(expected === undefined ? {} : { expected: redacted(expected) }),
    ...(match === undefined ? {} : { match: redacted(match) }),
    ...(error === undefined ? {} : { error: redactedError(error) }),
    ...(trajectory === undefined ? {} : { trajectory: redactedTrajectory(trajectory) }),
    ...(same === true ? { same } : {}),
  };
}

function redactedError({ type, message }: ExpectedError): ExpectedError {
  return message === undefined ? { type } : { type, message: String(redacted(message)) };
}

function titleOf({ title, trace, ...input }: BuildCaseInput): string {
  const states = [input.expected, input.match, input.error, input.trajectory].some((stated) => stated !== undefined);
  const made = `${trace.agent_name} ${states ? 'regression' : 'behaves as recorded'}`;
  // A runner prints it as it is, to a terminal.
  return displayText(oneLine(title ?? '') || oneLine(made));
}

const LONGEST_TITLE = 200;

function oneLine(text: string): string {
  return Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, LONGEST_TITLE).join('');
}

const SHORTEST_MS = 30_000;
const LONGEST_MS = 600_000;

/** Answers come at once, but the agent's own waits are real: twice the recorded duration, in whole seconds. */
function timeoutFor(trace: Trace): number {
  const seconds = Math.ceil((2 * (trace.totals.duration_ms ?? 0)) / 1_000);
  return Math.min(Math.max(seconds * 1_000, SHORTEST_MS), LONGEST_MS);
}
