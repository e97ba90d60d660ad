import type { RedactOptions } from '@stepfork/redact';
import type { StepforkError } from '@stepfork/trace-format/write';

/** How a run is recorded. */
export interface RecordingOptions {
  /** The bundle's path, ending in `.sftrace`. Default: `.stepfork/traces/<agent>-<run_id>.sftrace`. */
  readonly output?: string | undefined;
  /** Replace a bundle that exists. */
  readonly overwrite?: boolean | undefined;
  /** What is taken out before anything is written. */
  readonly redact?: RedactOptions | undefined;
  /** Kept in the bundle, for example `{ requestId }`. */
  readonly tags?: Tags | undefined;
  /** Which runs are recorded: a share from 0 to 1, or a function. Decided once, when the run starts. */
  readonly sample?: number | ((run: StartingRun) => boolean) | undefined;
  /** Of which recorded runs the bundle is kept once they are over. A predicate that throws keeps. */
  readonly keep?: 'all' | 'failed' | ((run: FinishedRun) => boolean) | undefined;
  /** How large a recording may get. */
  readonly limits?: Limits | undefined;
  /**
   * What becomes of a tool's or a request's payload that is no data: a marked placeholder, or an error of code
   * `unserializable` that reaches the agent; for arguments before the body runs, for a result after it ran.
   */
  readonly onUnserializable?: 'placeholder' | 'throw' | undefined;
  /**
   * Keep what the agent reads off the clock (Date, `performance.now()`), so that a replay gives it the very times,
   * to the millisecond.
   */
  readonly clock?: boolean | undefined;
  /** On SIGINT, SIGTERM and SIGHUP, finish the bundle as failed; then let the signal take its course. */
  readonly handleSignals?: boolean | undefined;
  /** Told of a failure of the recorder, which never reaches the agent. */
  readonly onError?: ((error: StepforkError) => void) | undefined;
}

export interface Tags {
  readonly [name: string]: string;
}

/** What is known of a run before it is decided whether it is recorded. */
export interface StartingRun {
  readonly agentName: string;
  readonly input: unknown;
  readonly tags: Tags;
}

/** What is known of a run when it is decided whether its bundle is kept. Values are the agent's own, not redacted. */
export interface FinishedRun {
  readonly runId: string;
  readonly status: 'completed' | 'failed';
  /** What the run came to; undefined where it failed. */
  readonly output: unknown;
  /** What was thrown; undefined where the run completed, or was ended by the process. */
  readonly error: unknown;
  readonly tags: Tags;
}

/** What is beyond a limit is left out and marked, and never served on replay. */
export interface Limits {
  /** Of one payload (an input, an output) as JSON text. Default 16 MiB. */
  readonly payloadBytes?: number | undefined;
  /** Events after which no further call is written. Default 1,000,000. */
  readonly events?: number | undefined;
  /** Size of the bundle after which no further call is written. Default 1 GiB. */
  readonly bundleBytes?: number | undefined;
}

/** What is recorded: an agent by name, and how. */
export interface Agent {
  readonly name: string;
  readonly options: RecordingOptions;
}
