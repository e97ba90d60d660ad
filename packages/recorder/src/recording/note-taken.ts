import { encodeValue } from '@stepfork/trace-format/write';
import type { StreamTaken } from '../boundary/handler.js';
import type { EventLog } from './event-log.js';

/** Notes how much of the run's answer, a stream, was read: a replay reads as much. */
export function noteTaken(log: EventLog, { kind, chunks, end, sent, stopped }: StreamTaken): void {
  const given = sent.map(([index, value]) => ({ index, value: log.redact(encodeValue(value).json) }));
  log.note({
    type: 'output',
    kind,
    chunks,
    end,
    ...(given.length === 0 ? {} : { sent: given }),
    ...(stopped === undefined ? {} : { stopped }),
  });
}
