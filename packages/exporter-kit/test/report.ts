import type { CallView, Difference, Divergence, ReplayReport } from '@stepfork/replay';
import type { Json } from '@stepfork/trace-format';

/** The report of a replay that matched, with some of it changed. */
export function reportOf(changes: Partial<ReplayReport> = {}): ReplayReport {
  return {
    verdict: 'matched',
    facets: { execution: 'completed', dependencies: 'matched', output: 'matched' },
    counts: { recorded: 1, substituted: 1, executed: 0 },
    output: null,
    error: null,
    divergence: null,
    ambiguous: [],
    early: [],
    reparented: [],
    ignored: [],
    blocked: [],
    observed: [],
    calls: [],
    disagreement: null,
    notes: [],
    recording: {
      runId: 'run_1',
      agentName: 'notify-agent',
      status: 'completed',
      output: null,
      failure: null,
    },
    ...changes,
  };
}

export const returned = (output: Json): ReplayReport => reportOf({ output });

const CALL: CallView = {
  kind: 'tool',
  name: 'lookup',
  provider: null,
  inputPreview: '{"window":60}',
  fingerprint: '0'.repeat(64),
  index: 0,
};

/** The report of a replay whose first call had another input. */
export function diverged(differences: readonly Difference[], changes: Partial<Divergence> = {}): ReplayReport {
  return reportOf({
    verdict: 'diverged',
    facets: { execution: 'threw', dependencies: 'diverged', output: 'not-recorded' },
    error: { name: 'StepforkError', message: 'the agent swallowed this' },
    divergence: {
      code: 'input_changed',
      position: 1,
      kind: 'tool',
      name: 'lookup',
      recorded: CALL,
      actual: { ...CALL, index: null },
      differences,
      callSite: 'agent.ts:12:9',
      message: "call #1: tool 'lookup' was called with another input",
      ...changes,
    },
  });
}
