import type { BoundaryCall } from '../boundary/handler.js';
import { describeThrown } from '../boundary/thrown.js';
import { elapsedMs } from '../clock.js';
import { failedResultEvent } from './call-events.js';
import { recordError } from './error-event.js';
import type { EventLog, Written } from './event-log.js';

/** A failed tool has a result, under which its error comes; a failed request has the error alone. */
export function recordThrown(log: EventLog, call: BoundaryCall, made: Written, thrown: unknown): Written {
  const duration = elapsedMs(made.atMs);
  const named = describeThrown(thrown);
  const failed =
    call.kind === 'tool' ? log.record(call, made.id, (base) => failedResultEvent(call, base, duration, named)) : made;
  return recordError(log, call, failed.id, named, thrown);
}
