import { displayText, findUnservable } from '@stepfork/trace-format';
import type { ReplayPlan } from '../plan/plan.js';
import { withoutRoot } from '../session/recorded-value.js';
import type { ReplayResult } from '../session/replay-run.js';
import { labelOf } from './call-view.js';

/** Things worth saying that change no verdict. */
export function notesOn(plan: ReplayPlan, result: ReplayResult): readonly string[] {
  return [
    ...aboutRecording(plan),
    ...aboutArguments(plan, result),
    ...aboutInputs(result),
    ...aboutOutput(plan),
    ...aboutRun(plan, result),
    ...result.seen.notes,
  ];
}

function aboutRecording({ run, calls, foreignRedaction, remarks, volatility }: ReplayPlan): readonly string[] {
  const notes: string[] = [];
  if (remarks.truncated !== null) {
    notes.push(
      `the recording is truncated: its recorder stopped writing before the run ended, since ${remarks.truncated}; calls after that have no answer`,
    );
  }
  if (calls.every(({ manual }) => manual))
    notes.push('the recording holds no calls, so this replay proves nothing about them');
  if (run.status === 'running') notes.push('the recording is partial: its run had not ended');
  if (foreignRedaction) {
    notes.push('the run was recorded under other redaction rules; pass them as option redact so that inputs compare');
  }
  for (const pattern of volatility.idle(calls))
    notes.push(`'${displayText(pattern)}' is about no call of the recording`);
  return notes;
}

/** What a body did to what it was given does not happen in a replay. */
function aboutArguments({ remarks }: ReplayPlan, { calls }: ReplayResult): readonly string[] {
  return calls.flatMap(({ live, recorded }) => {
    const changed = recorded === null ? undefined : remarks.mutated.get(recorded.event.id);
    if (changed === undefined) return [];
    const where = changed.length === 0 ? '' : ` (${changed.map(displayText).join(', ')})`;
    return [
      `${labelOf(live)} (call #${live.number}) changed its argument${where} when it was recorded, which a replay does not do again; have it return what it changes`,
    ];
  });
}

/** Values that no recording can hold are alike to it, so a call may have been another in them. */
function aboutInputs({ calls }: ReplayResult): readonly string[] {
  const notes = calls.flatMap(({ live, recorded }) => {
    const path = recorded === null ? null : (findUnservable(recorded.compared) ?? findUnservable(live.compared));
    if (path === null) return [];
    const place = displayText(withoutRoot(path));
    return [`${labelOf(live)} was compared without what could not be recorded of its input, at '${place}'`];
  });
  return [...new Set(notes)];
}

function aboutOutput({ run }: ReplayPlan): readonly string[] {
  const path = findUnservable(run.output);
  if (path === null) return [];
  const place = displayText(withoutRoot(path));
  const where = path === '$' ? '' : `, at '${place}'`;
  return [
    `the output is not judged by what was recorded: it held what could not be${where}; have the agent return data, or state the output that is right`,
  ];
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
