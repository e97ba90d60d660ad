import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addEvent,
  canonicalJson,
  createTrace,
  errorEvent,
  type Json,
  llmRequestEvent,
  openBundle,
  runEndEvent,
  runStartEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format/write';
import { afterAll } from 'vitest';
import { createRedactor, type RedactOptions, type Redactor } from '../../src/index.js';
import { json } from '../laws/values.js';

/** Values that a bundle can hold. */
export const storable = json.filter((value) => {
  try {
    return canonicalJson(value) !== '';
  } catch {
    return false;
  }
});

const folder = mkdtempSync(join(tmpdir(), 'redact-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** A path for a bundle that is not there yet. */
export function freshPath(): string {
  return join(folder, `bundle-${++count}.sftrace`);
}

/** A small failed run whose payloads are given. */
export function traceWith(payload: Json, message = 'it broke'): Trace {
  const trace = createTrace({
    agentName: 'agent',
    status: 'failed',
    failure: { type: 'Error', message, step: 3 },
  });
  addEvent(trace, runStartEvent({ id: 'evt_start', input: { ask: 'a refund' } }));
  addEvent(trace, toolCallEvent({ id: 'evt_call', name: 'look_up', input: payload }));
  addEvent(
    trace,
    toolResultEvent({ id: 'evt_result', name: 'look_up', parent_id: 'evt_call', output: { ok: 1, got: payload } }),
  );
  addEvent(trace, errorEvent({ id: 'evt_error', error_type: 'Error', message, details: null }));
  addEvent(trace, llmRequestEvent({ id: 'evt_ask', provider: 'p', model: 'm', input: [payload] }));
  addEvent(trace, runEndEvent({ id: 'evt_end', run_status: 'failed', output: null }));
  return trace;
}

/** Writes a bundle under rules; those of 0.1 miss much. */
export function bundleOf(trace: Trace, rules: RedactOptions = { ruleset: '0.1' }, withRuntime = true): string {
  const redactor = createRedactor(rules);
  const { events, runtime: _runtime, ...manifest } = trace;
  const sealed = redactor.redactManifest(manifest);
  const writer = openBundle({
    path: freshPath(),
    manifest: sealed,
    ...(withRuntime ? { runtime: headerOf(redactor) } : {}),
  });
  for (const event of events) writer.append(redactor.redactEvent(event));
  writer.appendRuntime({ type: 'call', call_id: 'evt_call', answered: 'promise' });
  return writer.finish(sealed);
}

export function headerOf({ ruleset, fingerprint }: Redactor) {
  return {
    type: 'runtime',
    schema: 'stepfork-runtime/1',
    language: 'node',
    language_version: '20.20.2',
    recorder_version: '0.0.0',
    started_at_ms: 0,
    time_zone: 'UTC',
    tags: { team: 'blue' },
    redaction: { ruleset, fingerprint },
  } as const;
}

/** The bytes of every file of a bundle, by name. */
export function filesOf(bundle: string): Readonly<Record<string, string>> {
  const files = readdirSync(bundle, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')]).sort(),
  );
}
