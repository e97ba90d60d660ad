import { displayText, findUnservable } from '@stepfork/trace-format';
import { answers } from '../match/find-match.js';
import type { ReplayPlan } from '../plan/plan.js';
import { withoutRoot } from '../session/recorded-value.js';
import type { ReplayResult } from '../session/replay-run.js';
import { labelOf } from './call-view.js';

/** Live calls of another input that are named one by one. */
const MOST_NAMED = 5;

/**
 * Things worth saying that change no verdict.
 *
 * @param endsAsRecorded whether the run came to where a partial recording stops
 */
export function notesOn(plan: ReplayPlan, result: ReplayResult, endsAsRecorded: boolean): readonly string[] {
  return [
    ...aboutRecording(plan, endsAsRecorded),
    ...aboutArguments(plan, result),
    ...aboutInputs(result),
    ...aboutLiveInputs(result),
    ...aboutOutput(plan),
    ...aboutRun(plan, result, endsAsRecorded),
    ...result.seen.notes,
  ];
}

function aboutRecording(plan: ReplayPlan, endsAsRecorded: boolean): readonly string[] {
  const { run, calls, foreignRedaction, remarks, volatility } = plan;
  const notes: string[] = [];
  if (remarks.truncated !== null) {
    notes.push(
      `the recording is truncated: its recorder stopped writing before the run ended, since ${remarks.truncated}; calls after that have no answer`,
    );
  }
  if (calls.every(({ manual }) => manual))
    notes.push('the recording holds no calls, so this replay proves nothing about them');
  if (run.status === 'running' && !endsAsRecorded) notes.push('the recording is partial: its run had not ended');
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

/** A model that really answers may be asked anything: its input is told, not judged. */
function aboutLiveInputs({ calls }: ReplayResult): readonly string[] {
  const others = calls.filter(({ live, recorded, isReal }) => isReal && recorded !== null && !answers(recorded, live));
  if (others.length === 0) return [];
  const named = others.slice(0, MOST_NAMED).map(({ live }) => `${labelOf(live)} (call #${live.number})`);
  if (others.length > MOST_NAMED) named.push(`${others.length - MOST_NAMED} more`);
  const count = others.length === 1 ? '1 live call' : `${others.length} live calls`;
  return [`${count} had another input than recorded: ${named.join(', ')}`];
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

function aboutRun({ run }: ReplayPlan, result: ReplayResult, endsAsRecorded: boolean): readonly string[] {
  const { outcome, waitingFor } = result;
  if (outcome.type === 'stalled') {
    const what = waitingFor.length === 0 ? 'something outside the recording' : waitingFor.join(' and ');
    if (endsAsRecorded) return [`the recording is partial, and the run went as far as it does: it waits for ${what}`];
    return [`the run did not end: it waits for ${what}`];
  }
  if (outcome.type !== 'threw' || run.failure === null || outcome.error.name !== run.failure.type) return [];
  const { message } = outcome.error;
  if (message === run.failure.message) return [];
  return [`the error's message changed: recorded '${displayText(run.failure.message)}', got '${displayText(message)}'`];
}
