import type { RecordedCall, Trace } from '@stepfork/trace-format';
import type { AnswerForm } from './planned-call.js';

/**
 * How each recorded call answered. A recorder of ours notes the calls that answered with a promise; in a trace
 * without such notes (the Python original's, one built by hand) tools count as plain functions and models as
 * asynchronous. What one call of a function did tells of another that has no outcome.
 */
export function answerForms(trace: Trace, calls: readonly RecordedCall[]): readonly (AnswerForm | null)[] {
  const noted = notedForms(trace);
  if (!hasCallNotes(trace)) {
    return calls.map(({ kind, event }) => noted.get(event.id) ?? (kind === 'tool' ? 'value' : 'promise'));
  }
  const own = calls.map((call) => noted.get(call.event.id) ?? (call.outcome === null ? null : 'value'));
  const byName = new Map<string, AnswerForm>();
  calls.forEach((call, index) => {
    const form = own[index];
    if (form) byName.set(nameKey(call), form);
  });
  return calls.map((call, index) => own[index] ?? byName.get(nameKey(call)) ?? null);
}

/** Whether the trace was written by a recorder that notes how calls answered. */
export function hasCallNotes(trace: Trace): boolean {
  return trace.runtime.some((record) => record.type === 'runtime' && record.recorder_version !== 'none');
}

function notedForms(trace: Trace): ReadonlyMap<string, AnswerForm> {
  const forms = new Map<string, AnswerForm>();
  for (const record of trace.runtime) {
    if (record.type !== 'call' && record.type !== 'stream') continue;
    forms.set(record.call_id, record.answered === 'promise' ? 'promise' : 'value');
  }
  return forms;
}

function nameKey({ kind, name, provider }: Pick<RecordedCall, 'kind' | 'name' | 'provider'>): string {
  return JSON.stringify([kind, name, provider]);
}
