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
  readonly tags?: { readonly [name: string]: string } | undefined;
  /** Told of a failure of the recorder, which never reaches the agent. */
  readonly onError?: ((error: StepforkError) => void) | undefined;
}

/** What is recorded: an agent by name, and how. */
export interface Agent {
  readonly name: string;
  readonly options: RecordingOptions;
}
