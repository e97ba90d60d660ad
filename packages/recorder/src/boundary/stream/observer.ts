import type { StreamKind } from '@stepfork/trace-format/write';

/** How the consumer of an iterator asked for what it was given, and what it gave for that. */
export interface Act {
  readonly by: 'next' | 'throw' | 'return';
  readonly value: unknown;
}

/** How a stream was given up before its end. */
export interface Cancellation {
  /** What its generator's `return()` came to. */
  readonly returned?: unknown;
  /** By which its iterator was given up. */
  readonly act?: Act;
  /** All that the source had to give was given, though its consumer had not asked for the end. */
  readonly sourceEnded?: boolean;
  /** A chunk had been asked for that had not come. */
  readonly reading?: boolean;
  /** Settles when its source has let go, which may take calls; absent where it has, or cannot tell. */
  readonly cleaned?: Promise<unknown>;
}

/** Told what the consumer of a stream is given, before it is given it. None of these may throw. */
export interface StreamObserver {
  /** It has no more to do: the run of its call is over. */
  readonly isDone: boolean;
  /** Runs a step of the producer: a part of the call, whoever consumes the stream. */
  readonly inside: <T>(step: () => T) => T;
  /** Runs the consumer's listeners: no part of the call, though an emitter brings its own context along. */
  readonly outside: <T>(step: () => T) => T;
  /** @param act by which an iterator's consumer asked for it; absent for other streams */
  readonly chunk: (value: unknown, act?: Act) => void;
  /** @param returned a generator's return value */
  readonly ended: (returned?: unknown, act?: Act) => void;
  readonly failed: (thrown: unknown, act?: Act) => void;
  /** Whether it is the consumer, and no step of the producer, that runs now; absent where nobody can tell. */
  readonly isConsumer?: () => boolean;
  readonly cancelled: (how?: Cancellation) => void;
}

/** A stream that is watched. */
export interface WatchedStream {
  readonly kind: StreamKind;
  /** What the consumer is to be given: the stream itself wherever it could be watched in place. */
  readonly stream: object;
  /**
   * Tells an observer that comes when all is over what whoever reads the stream now is given; null while it is not
   * over. Absent for what answers each time that it is asked, as iterators do.
   */
  readonly over?: () => ((observer: StreamObserver) => void) | null;
}
