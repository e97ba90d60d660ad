import type { CallOutcome, Json, LlmRequestEvent, ReplayPolicy, ToolCallEvent } from '@stepfork/trace-format';
import type { PlannedStream } from './planned-stream.js';

/** What a function gives its caller: a value (or an exception) at once, or a promise. */
export type AnswerForm = 'value' | 'promise';

/** Whether a recorded call can be told from the others of its key by more than the order in which they came. */
export type Ambiguity =
  /** It can, or it makes no difference. */
  | 'none'
  /** Identical calls ended differently, but not while it was going on: the order in which they start decides. */
  | 'apart'
  /** An identical call overlapped it and ended differently. */
  | 'order'
  /** The same, and their inputs hold redacted places: they may never have been identical. */
  | 'redaction';

/** A recorded call as a replay sees it. */
export interface PlannedCall {
  /** 0-based, among the recording's calls. */
  readonly index: number;
  readonly kind: 'tool' | 'llm';
  /** Tool name, or model. */
  readonly name: string;
  readonly provider: string | null;
  /** The redacted input. */
  readonly input: Json;
  /** What of it matching compares. */
  readonly compared: Json;
  /** The key that matching uses, as a SHA-256. */
  readonly fingerprint: string;
  /** Whether the input holds redacted places. */
  readonly redacted: boolean;
  /** Index of the call whose body was running around this one, or null for the run itself. */
  readonly frame: number | null;
  /** Not expected: it was made by the body of a call that will be answered from the recording, or told by hand. */
  readonly hidden: boolean;
  /** The agent told of it by hand (`session.llmCall`): no boundary reaches it, so that it answers nothing. */
  readonly manual: boolean;
  /** It outlived the call whose body made it. */
  readonly detached: boolean;
  readonly policy: ReplayPolicy;
  /** How the function answered in the recording; null where the recording does not tell. */
  readonly form: AnswerForm | null;
  /** Position in the log at which it started, and the time then. */
  readonly start: LogPoint;
  /** Where its outcome stands in the log; null where it has none. */
  readonly end: LogPoint | null;
  /** The call's own event. */
  readonly event: ToolCallEvent | LlmRequestEvent;
  /** null: the run ended first. */
  readonly outcome: CallOutcome | null;
  /** What it answered with, where that was a stream; its outcome is then what the stream came to. */
  readonly stream: PlannedStream | null;
  /** The outcome is given unredacted (the trace was never saved), and holds secrets that may recur in later inputs. */
  readonly holdsSecrets: boolean;
  readonly ambiguity: Ambiguity;
  /** The outcome came in the very turn of the event loop in which something before it in the log happened. */
  readonly isPrompt: boolean;
  /** It was given up before it answered, by a signal: its outcome is the answer to that. */
  readonly isAborted: boolean;
}

/** A place in the log of the recorded run. */
export interface LogPoint {
  /** How many events, and chunks of streams, lay before it. */
  readonly position: number;
  /** Milliseconds since the recorded run began; never decreases along the log. */
  readonly time: number;
}
