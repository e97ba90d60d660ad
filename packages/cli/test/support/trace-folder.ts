import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saveTrace } from '@stepfork/recorder';
import { addEvent, type CreateTraceOptions, createTrace, runStartEvent } from '@stepfork/trace-format';

/** Saves a run into a folder as the product writes it, and returns its path. */
export function saveRun(folder: string, name: string, options: CreateTraceOptions): string {
  const trace = createTrace(options);
  addEvent(trace, runStartEvent({ input: { agent: options.agentName } }));
  const path = join(folder, `${name}.sftrace`);
  saveTrace(trace, path);
  return path;
}

/**
 * Fills a folder with so many bundles, of which only what a list looks at is there: in the place of their events
 * lies a folder, so that whoever reads them fails.
 */
export function fillFolder(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < count; at++) {
    const bundle = join(folder, `run-${at}.sftrace`);
    mkdirSync(bundle);
    const created = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
    writeFileSync(join(bundle, 'manifest.json'), JSON.stringify(manifestOf(at, created)));
    mkdirSync(join(bundle, 'events.jsonl'));
  }
}

function manifestOf(at: number, created_at: string): object {
  return {
    format: 'stepfork',
    schema_version: '0.1',
    run_id: `run_${String(at).padStart(8, '0')}`,
    agent_name: `agent-${at % 7}`,
    created_at,
    status: 'completed',
    failure: null,
    environment: { python: null, os: null, stepfork_version: null },
    totals: { events: 4, llm_calls: 1, tool_calls: 1, cost_usd: null, duration_ms: 5 },
  };
}
