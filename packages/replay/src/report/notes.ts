import { displayText } from '@stepfork/trace-format';
import type { ReplayPlan } from '../plan/plan.js';
import type { ReplayResult } from '../session/session.js';

/** Things worth saying that change no verdict. */
export function notesOn(plan: ReplayPlan, result: ReplayResult): readonly string[] {
  return [...aboutRecording(plan), ...aboutRun(plan, result), ...result.seen.notes];
}

function aboutRecording({ run, calls, foreignRedaction }: ReplayPlan): readonly string[] {
  const notes: string[] = [];
  if (calls.length === 0) notes.push('the recording holds no calls, so this replay proves nothing about them');
  if (run.status === 'running') notes.push('the recording is partial: its run had not ended');
  if (foreignRedaction) {
    notes.push('the run was recorded under other redaction rules; pass them as option redact so that inputs compare');
  }
  return notes;
}

function aboutRun({ run }: ReplayPlan, { outcome, waitingFor }: ReplayResult): readonly string[] {
  if (outcome.type === 'stalled') {
    const what = waitingFor.length === 0 ? 'something outside the recording' : waitingFor.join(' and ');
    return [`the run did not end: it waits for ${what}`];
  }
  if (outcome.type !== 'threw' || run.failure === null || outcome.error.name !== run.failure.type) return [];
  const { message } = outcome.error;
  if (message === run.failure.message) return [];
  return [`the error's message changed: recorded '${displayText(run.failure.message)}', got '${displayText(message)}'`];
}
