import { type ActFields, encodeValue, isStepforkError } from '@stepfork/trace-format/write';
import type { Act } from '../../boundary/stream/observer.js';
import type { EventLog } from '../event-log.js';
import { cutForLine } from '../limits.js';

/** How a step of an iterator was asked for, as it is written: nothing for a plain `next()`. */
export function actFields(log: EventLog, act: Act | undefined): ActFields {
  if (act === undefined || (act.by === 'next' && act.value === undefined)) return {};
  const json = log.redact(encodeValue(act.value).json);
  switch (act.by) {
    case 'next':
      return { sent: json };
    case 'throw':
      return { thrown: json };
    case 'return':
      return { closed: json };
  }
}

/** Notes how the end of a call's stream was asked for, or what it failed with: the outcome has no place for it. */
export function noteEnd(log: EventLog, callId: string, act: Act | undefined): void {
  const fields = actFields(log, act);
  const [name] = Object.keys(fields) as (keyof ActFields)[];
  if (name === undefined) return;
  const record = { type: 'stream_end', call_id: callId } as const;
  try {
    log.note({ ...record, ...fields });
  } catch (error) {
    if (!isStepforkError(error, 'record_too_large')) throw error;
    log.note({ ...record, [name]: cutForLine(fields[name] ?? null).json });
  }
}
