import { encodeValue } from '@stepfork/trace-format/write';
import type { StreamTaken } from '../boundary/handler.js';
import type { EventLog } from './event-log.js';

/** Notes how much of the run's answer, a stream, was read: a replay reads as much. */
export function noteTaken(log: EventLog, { kind, chunks, end, sent, acts = [], stopped }: StreamTaken): void {
  const given = sent.map(([index, value]) => ({ index, value: log.redact(encodeValue(value).json) }));
  const done = acts.flatMap(([index, { by, value }]) =>
    by === 'next' ? [] : [{ index, by, value: log.redact(encodeValue(value).json) }],
  );
  log.note({
    type: 'output',
    kind,
    chunks,
    end,
    ...(given.length === 0 ? {} : { sent: given }),
    ...(done.length === 0 ? {} : { acts: done }),
    ...(stopped === undefined ? {} : { stopped }),
  });
}
