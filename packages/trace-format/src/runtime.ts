import type { Json } from './json.js';

/**
 * runtime.jsonl: what schema 0.1 has no field for. It lies beside the three files of a bundle, is listed in
 * integrity.json, and is ignored by readers that do not know it. One compact JSON object a line; the first is
 * the header. Readers skip a `type` that they do not know.
 */
export type RuntimeRecord =
  | RuntimeHeader
  | CallRecord
  | StreamRecord
  | ChunkRecord
  | StreamEndRecord
  | OutputRecord
  | ClockRecord
  | PlaceholderRecord
  | AdoptedRecord
  | DetachedRecord
  | ManualRecord
  | MutatedRecord
  | AbortedRecord
  | AmbiguousRecord
  | TruncatedRecord
  | ScrubbedRecord
  | KeyOrderRecord;

/** First line: which runtime recorded the run. */
export interface RuntimeHeader {
  readonly type: 'runtime';
  readonly schema: 'stepfork-runtime/1';
  /** For example `node`. */
  readonly language: string;
  /** For example `20.20.2`. */
  readonly language_version: string;
  /** Version of the recorder. */
  readonly recorder_version: string;
  /** Milliseconds since the epoch at which the run started. */
  readonly started_at_ms: number;
  /** IANA name, for example `Asia/Kathmandu`. */
  readonly time_zone: string;
  /** What `performance.timeOrigin` was; in runs recorded with `clock: true`. */
  readonly time_origin?: number;
  readonly tags: { readonly [name: string]: string };
  /** The redaction ruleset's name and a SHA-256 of its rules. */
  readonly redaction: { readonly ruleset: string; readonly fingerprint: string };
}

/** How a call answered, where its outcome alone does not tell. */
export interface CallRecord {
  readonly type: 'call';
  /** Id of the tool_call or llm_request event. */
  readonly call_id: string;
  /** `sync`: the function itself returned or threw. `promise`: it returned a promise, which settled. */
  readonly answered: 'sync' | 'promise';
  /**
   * Turns of the event loop in which the call was made and in which it was answered, counted from the run's start.
   * Equal numbers: nothing but promise callbacks lay between.
   */
  readonly turns?: readonly [number, number];
}

/** What kind of object a streaming function gave, which decides what a replay gives. */
export type StreamKind = (typeof STREAM_KINDS)[number];

export const STREAM_KINDS = ['generator', 'async-generator', 'async-iterable', 'web', 'web-bytes', 'node'] as const;

/**
 * Where in the run something lies that is no event. Points are sorted by `step`, then by `order`; records may stand
 * later in the file than they happened.
 */
export interface LogPointFields {
  /** How many events lay before it. */
  readonly step: number;
  /** Counts these points over the whole run, from 0. */
  readonly order: number;
  /** Milliseconds since the epoch. */
  readonly at_ms: number;
  /** Turn of the event loop, as in a `call` record. */
  readonly turn: number;
}

/** A call gave its caller a stream. What the stream came to is the call's outcome, an event, once it is over. */
export interface StreamRecord extends LogPointFields {
  readonly type: 'stream';
  /** Id of the tool_call or llm_request event. */
  readonly call_id: string;
  readonly kind: StreamKind;
  /** `sync`: the function returned the stream. `promise`: it returned a promise of it. */
  readonly answered: 'sync' | 'promise';
  /** Turn in which the call was made. */
  readonly call_turn: number;
  /** A Node stream's chunks are values, not bytes or texts. */
  readonly object_mode?: boolean;
  /** Own data of an async iterable beside its iterator, encoded. */
  readonly members?: Json;
  /** How its chunks and its end were asked for is recorded: what says nothing else came by a plain `next()`. */
  readonly acts?: boolean;
}

/**
 * How the consumer of an iterator asked for what it was given, where not by a plain `next()`. At most one of these; what
 * was given is encoded and redacted, `undefined` included.
 */
export interface ActFields {
  /** By `next(value)`. */
  readonly sent?: Json;
  /** By `throw(error)`. */
  readonly thrown?: Json;
  /** By `return(value)`. */
  readonly closed?: Json;
}

/** The stream's consumer was given a chunk. */
export interface ChunkRecord extends LogPointFields, ActFields {
  readonly type: 'chunk';
  readonly call_id: string;
  /** 0-based, within the stream. */
  readonly index: number;
  /** The chunk, encoded and redacted: what is redacted of a text may have begun in chunks before it. */
  readonly data: Json;
}

/** How the end of an iterator was asked for, or its failure, where not by a plain `next()`. */
export interface StreamEndRecord extends ActFields {
  readonly type: 'stream_end';
  readonly call_id: string;
}

/** The agent answered with a stream. What its consumer was given is the run's output; this is how far it was read. */
export interface OutputRecord {
  readonly type: 'output';
  readonly kind: StreamKind;
  /** How many chunks its consumer was given. */
  readonly chunks: number;
  /** `open`: its consumer stopped reading and did not say so. */
  readonly end: 'complete' | 'cancelled' | 'error' | 'open';
  /** What the consumer of a generator gave to `next`, encoded, and for which chunk, counted from 0. */
  readonly sent?: readonly { readonly index: number; readonly value: Json }[];
  /** What it gave to `throw`, or to a `return` that gave something back, likewise. */
  readonly acts?: readonly { readonly index: number; readonly by: 'throw' | 'return'; readonly value: Json }[];
  /** Where the run was when its consumer gave up, and whether a chunk had been asked for that had not come. */
  readonly stopped?: LogPointFields & { readonly reading: boolean };
}

/** What the agent read off the clock just before this point: of which clock, and the value that it was given. */
export type ClockRead = readonly ['date' | 'performance', number];

/** Only in runs recorded with `clock: true`. What the bodies of calls read is not in it. */
export interface ClockRecord extends LogPointFields {
  readonly type: 'clock';
  /** In the order in which they were made. */
  readonly reads: readonly ClockRead[];
}

/** A part of a payload that could not be serialised: what stands there is not the value. */
export interface PlaceholderRecord {
  readonly type: 'placeholder';
  readonly event_id: string;
  /** JSON Pointer from the event's root. */
  readonly path: string;
  /** Why, for a person: `function`, `symbol`, `cycle`, `class Decimal`, … */
  readonly reason: string;
  readonly detail?: Json;
}

/** A call that came without any async context and was given to the one run that was recording. */
export interface AdoptedRecord {
  readonly type: 'adopted';
  /** Id of the tool_call or llm_request event. */
  readonly call_id: string;
}

/**
 * A call was reached in the context of a call that had been answered before: work that the enclosing call left behind,
 * or a queue that runs one task in the context of another.
 */
export interface DetachedRecord {
  readonly type: 'detached';
  readonly call_id: string;
}

/** A request to a model that the agent told of by hand. No boundary reaches it, so that a replay does not wait for it. */
export interface ManualRecord {
  readonly type: 'manual';
  readonly call_id: string;
}

/** The arguments of a call were not the same after it as before: its body changed them, which a replay does not do. */
export interface MutatedRecord {
  readonly type: 'mutated';
  readonly call_id: string;
  /** JSON Pointers from the call event's root, for example `/input/args/0/done`. */
  readonly paths: readonly string[];
}

/**
 * Whoever made the call gave it up: a signal that it was given was aborted before it answered. What it came to then is the
 * answer to that.
 */
export interface AbortedRecord {
  readonly type: 'aborted';
  readonly call_id: string;
}

/** Calls that overlapped and differ in nothing but what was redacted: which one got which answer cannot be told. */
export interface AmbiguousRecord {
  readonly type: 'ambiguous';
  readonly call_ids: readonly string[];
}

/** The bundle does not hold everything that happened from here on. The last such record counts. */
export interface TruncatedRecord {
  readonly type: 'truncated';
  /** A limit on the number of events or on the size of the bundle, or a failure of the recorder. */
  readonly reason: 'events' | 'bundle_bytes' | 'failure';
  /** How many events lay before. */
  readonly step: number;
  /** How many calls, changes of state and errors were left out; known at the end of the run alone. */
  readonly left_out?: number;
  /** Code of the failure. */
  readonly code?: string;
}

/** Secrets were removed from the bundle after it had been sealed, and it was sealed anew. */
export interface ScrubbedRecord {
  readonly type: 'scrubbed';
  /** Milliseconds since the epoch. */
  readonly at_ms: number;
  /** How many places were redacted. */
  readonly places: number;
}

/** In which order an agent saw the keys of an object, where that is not the order in which they are written. */
export interface KeyOrderRecord {
  readonly type: 'key_order';
  readonly keys: readonly string[];
  /** This object alone; without one, every object of the bundle that has just these keys. */
  readonly event_id?: string;
  /** JSON Pointer from that event's root. */
  readonly path?: string;
}
