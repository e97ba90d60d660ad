import { encodeValue } from '@stepfork/trace-format/write';
import type { Named } from '../boundary/describe.js';
import type { BoundaryCall } from '../boundary/handler.js';
import { describeThrown, type Thrown } from '../boundary/thrown.js';
import { elapsedMs } from '../clock.js';
import { failedResultEvent } from './call-events.js';
import type { EventLog, Written } from './event-log.js';

/** A failed tool has a result, under which its error comes; a failed request has the error alone. */
export function recordThrown(log: EventLog, call: BoundaryCall, made: Written, thrown: unknown): Written {
  const duration = elapsedMs(made.atMs);
  const named = describeThrown(thrown);
  const failed =
    call.kind === 'tool' ? log.record(call, made.id, (base) => failedResultEvent(call, base, duration, named)) : made;
  return recordError(log, call, failed.id, named, thrown);
}

/** An error by its text, with the true value as its details. */
export function recordError(
  log: EventLog,
  what: Named,
  parent: string | null,
  thrown: Thrown,
  details: unknown,
): Written {
  return log.record(what, parent, (base, keep) => ({
    ...base,
    type: 'error',
    status: 'error',
    error_type: thrown.type,
    message: thrown.message,
    details: keep('details', encodeValue(details)),
  }));
}
