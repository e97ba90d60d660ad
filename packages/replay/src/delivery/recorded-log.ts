import type { LogPoint, PlannedCall } from '../plan/planned-call.js';

/**
 * Something in the recorded log. `start`: the call was made. `open`: its caller was given a stream. `chunk`: the
 * stream's consumer was given a chunk. `end`: the call answered, or its stream came to its end.
 */
export interface LogEntry {
  readonly call: PlannedCall;
  readonly edge: 'start' | 'open' | 'chunk' | 'end';
  /** Which chunk, 0-based; null for all else. */
  readonly chunk: number | null;
  readonly position: number;
  readonly time: number;
  /** It happened in the very turn of the event loop in which something before it did. */
  readonly isPrompt: boolean;
}

/** The entries of one call. */
export interface CallEntries {
  readonly start: LogEntry;
  /** null: it answered with no stream. */
  readonly open: LogEntry | null;
  readonly chunks: readonly LogEntry[];
  /** null: the recording does not hold it. */
  readonly end: LogEntry | null;
}

export function entriesOf(call: PlannedCall): CallEntries {
  const { stream, end } = call;
  const entry = (
    edge: LogEntry['edge'],
    { position, time }: LogPoint,
    isPrompt: boolean,
    chunk?: number,
  ): LogEntry => ({
    ...{ call, edge, chunk: chunk ?? null, position, time, isPrompt },
  });
  return {
    start: entry('start', call.start, false),
    open: stream === null ? null : entry('open', stream.open, stream.open.isPrompt),
    chunks: stream === null ? [] : stream.chunks.map((chunk, i) => entry('chunk', chunk, chunk.isPrompt, i)),
    end: end === null ? null : entry('end', end, call.isPrompt),
  };
}

/** Whether the entry is the agent's own doing, so that it cannot be delivered: a call, or a stream's cancellation. */
export function isActOfAgent({ edge, call }: LogEntry): boolean {
  return edge === 'start' || (edge === 'end' && call.stream?.end === 'cancelled');
}

const ABORTED = new Set(['AbortError', 'TimeoutError']);

/** Whether the entry is what the agent brought about: it, or a timer of its own, aborted a signal. */
export function isAbort({ edge, call }: LogEntry): boolean {
  if (edge !== 'end') return false;
  return call.isAborted || (call.outcome?.type === 'threw' && ABORTED.has(call.outcome.errorType));
}
