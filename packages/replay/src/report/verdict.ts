import { canonicalJson, findUnservable, type Json } from '@stepfork/trace-format';
import type { RecordedRun } from '../plan/recorded-run.js';
import type { ReplayReport } from '../report.js';
import type { RunOutcome } from '../session/run-outcome.js';

type Facets = ReplayReport['facets'];

/** What is compared: how the run went, whether its calls were the recorded ones, and what it came to. */
export function facetsOf(run: RecordedRun, outcome: RunOutcome, output: Json, diverged: boolean): Facets {
  return {
    execution: outcome.type,
    dependencies: diverged ? 'diverged' : 'matched',
    output: outputFacet(run.output, outcome, output),
  };
}

function outputFacet(recorded: Json, outcome: RunOutcome, output: Json): Facets['output'] {
  if (recorded === null) return 'not-recorded';
  if (outcome.type !== 'completed' || canonicalJson(output) !== canonicalJson(recorded)) return 'changed';
  // Values that no recording can hold are alike to it.
  return findUnservable(recorded) === null ? 'matched' : 'not-recorded';
}

/** The verdict follows from the facets and from how the recorded run went. */
export function verdictOf(run: RecordedRun, outcome: RunOutcome, facets: Facets): ReplayReport['verdict'] {
  if (facets.dependencies === 'diverged' || outcome.type === 'stalled') return 'diverged';
  if (run.status === 'failed') return isSameFailure(run, outcome) ? 'reproduced-failure' : 'output-changed';
  return outcome.type === 'completed' && facets.output !== 'changed' ? 'matched' : 'output-changed';
}

function isSameFailure(run: RecordedRun, outcome: RunOutcome): boolean {
  return outcome.type === 'threw' && run.failure !== null && outcome.error.name === run.failure.type;
}
