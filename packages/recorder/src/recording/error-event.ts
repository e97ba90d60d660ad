import { encodeValue } from '@stepfork/trace-format/write';
import type { Named } from '../boundary/describe.js';
import type { Thrown } from '../boundary/thrown.js';
import type { EventLog, Written } from './event-log.js';

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
