import type { Json, LogPointFields, ReplayPolicy, StreamKind } from '@stepfork/trace-format/write';
import type { LlmCall, LlmCallRequest } from '../llm-call.js';
import type { Act } from './stream/observer.js';

/**
 * What lies between an instrumented function and whoever records or replays it. The boundary finds a handler
 * in the slot (slot.ts) and knows nothing else about it, so `recorder` never imports `replay`.
 */
export const HANDLER_VERSION = 1;

/** A function result that is not plain data, to JSON and back. */
export interface Codec<T = unknown> {
  readonly encode: (value: T) => unknown;
  readonly decode: (data: unknown) => T;
}

/** A class of errors. Never constructed: a recorded error gets its prototype and the recorded fields. */
export interface ErrorClass {
  readonly name: string;
  readonly prototype: object;
}

/** What a stream's consumer is given, one by one. */
export type ChunkOf<T> =
  T extends AsyncIterable<infer C>
    ? C
    : T extends Iterable<infer C>
      ? C
      : T extends ReadableStream<infer C>
        ? C
        : never;

/** What a `usage` callback is given: the response or, of a stream, all of its chunks. */
export type ResponseOf<T> = T extends string | readonly unknown[]
  ? T
  : T extends AsyncIterable<infer C>
    ? C[]
    : T extends ReadableStream<infer C>
      ? C[]
      : T extends Iterator<infer C>
        ? C[]
        : T;

/** What an LLM's answer says of itself. Whatever it does not say is left out. */
export interface LlmUsage {
  readonly model?: string | undefined;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
  /** US dollars. */
  readonly costUsd?: number | undefined;
}

/** One crossing of an instrumented boundary, as the boundary hands it over. */
export interface BoundaryCall {
  readonly kind: 'tool' | 'llm';
  /** Tool name, or model. */
  readonly name: string;
  /** Provider of an LLM, else null. */
  readonly provider: string | null;
  readonly replayPolicy: ReplayPolicy;
  /** What is recorded as the input, not yet encoded to JSON. Taken once, before the body may change it. */
  readonly input: unknown;
  /**
   * What the function's own form tells of its answer: `promise` for an `async function`, `generator` and
   * `async-generator` for theirs, `unknown` for any other, which may return a value, a promise or a stream.
   */
  readonly answers: 'promise' | 'generator' | 'async-generator' | 'unknown';
  readonly codec: Codec | null;
  /** For the chunks of a stream. */
  readonly chunkCodec: Codec | null;
  /** Classes of the errors that the function may throw, so that a replay throws instances of them. */
  readonly errors: readonly ErrorClass[];
  /** Reads tokens, cost and model from an LLM's answer; absent where the usual shapes are to be tried. */
  readonly usage?: ((response: unknown) => LlmUsage) | undefined;
  /** By which its caller may give it up: those that were not aborted when it was made. */
  readonly signals?: readonly AbortSignal[];
  /** Runs the real body, in whatever context is current. */
  readonly invoke: () => unknown;
}

/** Where a boundary was reached: the handler in force and the call whose body is running. */
export interface Frame {
  readonly handler: BoundaryHandler;
  /** The enclosing call, as its handler identifies it; null at the run itself. */
  readonly call: unknown;
  readonly parent: Frame | null;
  /** The boundary had no context of its own and was given to the only active run. */
  readonly adopted?: true;
  /** The run entered its context by itself; what was around it counts again once it is over. */
  readonly entered?: { readonly agentName: string; readonly around: Frame | undefined };
}

/** Implemented by a recording session and by a replay session. */
export interface BoundaryHandler {
  readonly version: typeof HANDLER_VERSION;
  readonly mode: 'record' | 'replay';
  /** False once its run ended. A recording boundary then passes straight through; a replaying one is refused. */
  readonly active: boolean;
  /** The run is known not to be recorded: its boundaries call straight through and need not ask. */
  readonly unrecorded?: boolean;
  /** Returns exactly what the instrumented function is to return (a value, a promise), or throws. */
  readonly dispatch: (call: BoundaryCall, frame: Frame) => unknown;
  /**
   * `record` and `traceAgent` reached inside this handler's run: the function runs with an inert session, and
   * what it comes to is told here. A replay takes the outermost such run of the recorded agent as the run's
   * own outcome; a recording takes no notice.
   */
  readonly innerRun: (agentName: string) => InnerRun;
  /** Of a replay: whether what it replays holds a call of that name. */
  readonly expects?: (kind: 'tool' | 'llm', name: string) => boolean;
  /** Where its log is; null for one that is over, and absent where there is no log. */
  readonly point?: () => LogPointFields | null;
}

/** How much of the stream that a run answered with was read. */
export interface StreamTaken {
  readonly kind: StreamKind;
  /** How many chunks its consumer was given. */
  readonly chunks: number;
  /** `open`: its consumer stopped reading and did not say so. */
  readonly end: 'complete' | 'cancelled' | 'error' | 'open';
  /** What its consumer gave to `next`, and the number of the chunk that was asked for by it. */
  readonly sent: readonly (readonly [number, unknown])[];
  /** What it did but `next`, and the number of the chunk that was asked for by it; absent for nothing. */
  readonly acts?: readonly (readonly [number, Act])[];
  /** Where the run was when its consumer gave up. */
  readonly stopped?: StopPoint | undefined;
}

/** A place in a run's log. */
export interface StopPoint extends LogPointFields {
  /** A chunk had been asked for that had not come. */
  readonly reading: boolean;
}

/** What a run came to. `taken` where it answered with a stream. */
export type InnerOutcome =
  | { readonly output: unknown; readonly taken?: StreamTaken }
  | { readonly error: unknown; readonly taken?: StreamTaken };

export interface InnerRun {
  readonly runId: string;
  readonly settled: (outcome: InnerOutcome) => void;
  /** What the inert session's methods of the same name tell; absent where nobody listens. */
  readonly stateChange?: (key: string, before: unknown, after: unknown) => void;
  readonly error?: (thrown: unknown) => void;
  readonly llmCall?: (request: LlmCallRequest) => LlmCall;
}

export type { Json };
