import { canonicalJson, type Json } from '@stepfork/trace-format';
import type { ReplayReport } from '../../src/index.js';

type Call = ReplayReport['calls'][number];

/** A call of a tool. */
export function tool(name: string, input: Json = {}, status: Call['status'] = 'ok'): Call {
  return {
    kind: 'tool',
    name,
    provider: null,
    inputPreview: canonicalJson(input).slice(0, 200),
    fingerprint: '0'.repeat(64),
    index: 0,
    action: 'substituted',
    status,
    input,
  };
}

/** A request to a model. */
export function llm(model: string, status: Call['status'] = 'ok'): Call {
  return { ...tool(model, { prompt: 'hello' }, status), kind: 'llm', provider: 'acme' };
}

/** The report of a replay that made these calls and matched, with some of it changed. */
export function reportOf(calls: readonly Call[], changes: Partial<ReplayReport> = {}): ReplayReport {
  return {
    verdict: 'matched',
    facets: { execution: 'completed', dependencies: 'matched', output: 'matched' },
    counts: { recorded: calls.length, substituted: calls.length, executed: 0 },
    output: null,
    error: null,
    divergence: null,
    ambiguous: [],
    early: [],
    reparented: [],
    ignored: [],
    blocked: [],
    calls,
    observed: [],
    disagreement: null,
    notes: [],
    recording: { runId: 'run_1', agentName: 'agent', status: 'completed', output: null, failure: null },
    ...changes,
  };
}

/** What an assertion throws; null where it holds. */
export function thrownBy(assertion: () => void): unknown {
  try {
    assertion();
    return null;
  } catch (error) {
    return error;
  }
}

/** The message with which an assertion fails; null where it holds. */
export function failureOf(assertion: () => void): string | null {
  const error = thrownBy(assertion);
  return error === null ? null : (error as Error).message;
}
