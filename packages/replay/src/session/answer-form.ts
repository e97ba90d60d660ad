import type { BoundaryCall } from '@stepfork/recorder/boundary';
import type { AnswerForm, PlannedCall } from '../plan/planned-call.js';

/** How a live call is to be answered: by its own form, else as the recorded one was, else by a promise. */
export function answerForm(live: BoundaryCall, recorded: PlannedCall | null): AnswerForm {
  if (live.answers === 'promise') return 'promise';
  if (live.answers !== 'unknown') return 'value';
  if (recorded !== null) return recorded.form ?? 'promise';
  return live.kind === 'llm' ? 'promise' : 'value';
}
