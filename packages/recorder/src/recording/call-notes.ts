import { type Json, toWellFormed } from '@stepfork/trace-format/write';
import type { BoundaryCall } from '../boundary/handler.js';
import type { Answered } from '../boundary/observe.js';
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

/** What its body did to its arguments, which a replay does not do. */
export function noteChanges(log: EventLog, call: BoundaryCall, made: MadeCall): void {
  const paths = changesOf(call.input, made.input);
  if (paths.length > 0) {
    log.noteMutated(
      made.id,
      paths.map((path) => toWellFormed(`/input${path}`)),
    );
  }
}
