import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { redactOptionsOf, type StatedRules } from '@stepfork/redact';
import { type Entrypoint, type ReplayOptions, type ReplayReport, replay } from '@stepfork/replay';
import { displayText, StepforkError } from '@stepfork/trace-format';
import { traceDigest } from '../project/trace-digest.js';
import { currentTestFile } from './test-file.js';

/** How a recording is replayed in a test: frozen and in the recorded order unless it says otherwise. */
export interface CaseReplayOptions extends Omit<ReplayOptions, 'input' | 'record' | 'redact'> {
  /** The redaction rules that the run was recorded under, where they were not the default ones. */
  readonly redact?: StatedRules | undefined;
}

/** What a test replays. */
export interface ReplayCaseOptions extends CaseReplayOptions {
  /** Path of the bundle, from the test file's folder. */
  readonly trace: string;
  /** What the bundle held when the test was written, as the export put it here. Absent: any will do. */
  readonly digest?: string | undefined;
  /** The agent: a function, or a CommonJS module that has one as its default export. */
  readonly entrypoint: Entrypoint | { readonly default: unknown };
  /** What to call it with. Default: the recorded run's own input. */
  readonly input?: unknown;
  /** Path or file URL of the test file. Default: the test file that runs now, as the exporter's setup knows it. */
  readonly from?: string | URL;
}

/**
 * Runs the agent against its recording and tells how it went. A divergence is in the report, not thrown.
 *
 * @throws StepforkError `trace_changed` for another bundle than the one that the test was made from; for one that cannot
 * be read, an entrypoint that is no function, a missing setup
 */
export async function replayCase(options: ReplayCaseOptions): Promise<ReplayReport> {
  const { trace, digest, entrypoint, from, redact, ...replaying } = options;
  const testFile = from === undefined ? currentTestFile() : pathOf(String(from));
  const bundle = resolve(dirname(testFile), trace);
  if (digest !== undefined) requireUnchanged(bundle, trace, digest);
  const rules = redact === undefined ? {} : { redact: redactOptionsOf(redact) };
  return replay(bundle, functionOf(entrypoint), { ...replaying, ...rules });
}

/** A bundle that cannot be read is not judged: replaying it says what is wrong. */
function requireUnchanged(bundle: string, trace: string, digest: string): void {
  const found = traceDigest(bundle);
  if (found === null || found === digest) return;
  throw new StepforkError(
    'trace_changed',
    `${displayText(trace)} is not the recording that this test was made from, it was changed or replaced since: restore it, or export the test anew`,
    { details: { file: bundle, expected: digest, actual: found } },
  );
}

function pathOf(from: string): string {
  return from.startsWith('file:') ? fileURLToPath(from) : from;
}

/** `require` of an ES module, and of a transpiled one, gives its exports where a default import gives the function. */
function functionOf(entrypoint: unknown): Entrypoint {
  let candidate = entrypoint;
  for (let unwrapped = 0; unwrapped < 2 && typeof candidate === 'object' && candidate !== null; unwrapped += 1) {
    candidate = (candidate as { readonly default?: unknown }).default;
  }
  if (typeof candidate === 'function') return candidate as Entrypoint;
  throw new StepforkError(
    'bad_entrypoint',
    `the entrypoint is ${entrypoint === null ? 'null' : typeof entrypoint}, not a function: check what the agent's file exports`,
    { details: { type: typeof entrypoint } },
  );
}
