import { type Json, toWellFormed } from '@stepfork/trace-format/write';
import type { BoundaryCall } from '../boundary/handler.js';
import type { Answered } from '../boundary/observe.js';
import { isAborted } from '../boundary/signals.js';
import type { EventLog, Written } from './event-log.js';
import { changesOf } from './mutation.js';

/** A call as it was recorded, until its outcome is. */
export interface MadeCall extends Written {
  /** Encoded, not redacted. */
  readonly input: Json;
}

/** Tells apart what looks alike in the events: a value, and a promise of it, settled at once or later. */
export function noteAnswer(log: EventLog, made: Written, ended: Written, answered: Answered): void {
  if (answered === 'promise') log.note({ type: 'call', call_id: made.id, answered, turns: [made.turn, ended.turn] });
}

/** What happened to its arguments: what its body did to them, which a replay does not do, and that its caller gave it up. */
export function noteChanges(log: EventLog, call: BoundaryCall, made: MadeCall): void {
  if (isAborted(call.signals)) log.note({ type: 'aborted', call_id: made.id });
  const paths = changesOf(call.input, made.input);
  if (paths.length > 0) {
    log.noteMutated(
      made.id,
      paths.map((path) => toWellFormed(`/input${path}`)),
    );
  }
}
