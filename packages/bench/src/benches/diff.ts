import { diffTraces } from '@stepfork/diff';
import {
  addEvent,
  createTrace,
  type Json,
  runEndEvent,
  runStartEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';
import { diffArrays } from 'diff';
import { diff as myers } from 'fast-myers-diff';
import type { Bench, Effort, Table } from '../bench.js';
import { type Case, measureRounds } from '../measure/rounds.js';

const OURS = 'Stepfork: two traces, as behaviour';
/** A peer that takes longer gives up, where it can; its figure is then the time that it was given. */
const PATIENCE_MS = 10_000;

export const diffing: Bench = {
  name: 'diff',
  question: 'How long does it take to say what two long runs did differently?',
  run: async (effort) => {
    const sizes = effort === 'full' ? [10_000, 100_000] : [200];
    const tables: Table[] = [];
    for (const calls of sizes) {
      for (const percent of [1, 10, 100]) tables.push(await tableOf(calls, percent, effort));
    }
    return tables;
  },
};

async function tableOf(calls: number, percent: number, effort: Effort): Promise<Table> {
  const before = keysOf(calls, 0);
  const after = keysOf(calls, percent);
  const baseline = traceOf(before);
  const candidate = traceOf(after);
  const cases: Case[] = [
    { name: OURS, run: () => diffTraces(baseline, candidate).counts },
    {
      name: 'npm diff, keys alone',
      run: () => diffArrays([...before], [...after], { timeout: PATIENCE_MS })?.length ?? 'gave up',
    },
  ];
  // Quadratic in what changed: beyond this it takes minutes.
  if (calls * percent <= 1_000_000) {
    cases.push({ name: 'fast-myers-diff, keys alone', run: () => [...myers(before, after)].length });
  }
  const rows = await measureRounds(cases, {
    rounds: effort === 'full' ? 5 : 1,
    times: 1,
    reference: OURS,
    nanoseconds: 1e6,
  });
  return {
    title: `${calls.toLocaleString('en')} calls, ${percent} % changed`,
    unit: 'ms',
    reference: OURS,
    method:
      'Ours pairs calls, aligns them and compares the values of two loaded traces; the others compare two lists of keys. By a CPU profile of 100,000 calls, a fifth of our time is garbage collection; of the rest, a quarter goes to pairing calls, a quarter to matching them and a fifth to the search for secrets.',
    rows,
  };
}

function keysOf(calls: number, percentChanged: number): readonly string[] {
  return Array.from({ length: calls }, (_, index) =>
    (index * 7919) % 100 < percentChanged ? `changed-${index}` : `call-${index}`,
  );
}

function traceOf(keys: readonly string[]): Trace {
  const trace = createTrace({ agentName: 'bench', status: 'completed' });
  const start = addEvent(trace, runStartEvent({ input: null }));
  for (const key of keys) {
    const input: Json = { query: key };
    const call = addEvent(trace, toolCallEvent({ name: 'search', input, parent_id: start.id }));
    addEvent(trace, toolResultEvent({ name: 'search', output: { found: key.length }, parent_id: call.id }));
  }
  addEvent(trace, runEndEvent({ run_status: 'completed', output: null }));
  return trace;
}
