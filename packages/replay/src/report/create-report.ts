import type { Redactor } from '@stepfork/redact';
import { externalizeBytes, type Json, runEndEvent } from '@stepfork/trace-format';
import type { ReplayPlan } from '../plan/plan.js';
import type { ReplayReport } from '../report.js';
import type { ReplayResult } from '../session/replay-run.js';
import type { ReplayedCall } from '../session/replayed-call.js';
import type { RunOutcome } from '../session/run-outcome.js';
import { viewOf } from './call-view.js';
import { notesOn } from './notes.js';
import { goesAsFarAsRecorded } from './partial.js';
import { facetsOf, verdictOf } from './verdict.js';

/** What a replay came to, as plain data; `doubts` are notes about the bundle itself. */
export function createReport(plan: ReplayPlan, result: ReplayResult, doubts: readonly string[]): ReplayReport {
  const { run } = plan;
  const { outcome, redactor } = result;
  const output = outcome.type === 'completed' ? redactOutput(redactor, outcome.output) : null;
  const facets = facetsOf(run, outcome, output, result.divergence !== null);
  const report = {
    verdict: verdictOf(run, outcome, facets),
    facets,
    counts: {
      recorded: result.expected,
      substituted: result.calls.filter(({ recorded, isReal }) => recorded !== null && !isReal).length,
      executed: result.calls.filter(({ isReal }) => isReal).length,
    },
    output,
    error: errorOf(outcome, redactor),
    divergence: result.divergence,
    ambiguous: result.seen.ambiguous,
    early: result.seen.early,
    reparented: result.seen.reparented,
    ignored: result.seen.ignored,
    blocked: result.seen.blocked.map(({ what, callSite }) => ({ what: redactText(redactor, what), callSite })),
    observed: result.touches.map((touch) => ({ ...touch, name: redactText(redactor, touch.name) })),
    calls: result.calls.map(callOf),
    disagreement: null,
    recording: {
      runId: run.runId,
      agentName: run.agentName,
      status: run.status,
      output: run.output,
      failure: run.failure,
    },
  };
  return { ...report, notes: [...doubts, ...notesOn(plan, result, goesAsFarAsRecorded(report))] };
}

function callOf({ live, recorded, isReal, status }: ReplayedCall): ReplayReport['calls'][number] {
  const action = isReal ? 'executed' : recorded === null ? 'refused' : 'substituted';
  return { ...viewOf(live, recorded?.index ?? null), action, status, input: live.input };
}

function errorOf(outcome: RunOutcome, redactor: Redactor): ReplayReport['error'] {
  if (outcome.type !== 'threw') return null;
  return { name: outcome.error.name, message: redactText(redactor, outcome.error.message) };
}

/** Redacted, and written, as the recorder did it with the recorded output. */
function redactOutput(redactor: Redactor, output: Json): Json {
  const { event } = redactor.redactEvent(runEndEvent({ run_status: 'completed', output }));
  return event.type === 'run_end' ? externalizeBytes(event.output ?? null) : null;
}

function redactText(redactor: Redactor, text: string): string {
  const { value } = redactor.redact(text);
  return typeof value === 'string' ? value : '';
}
