import { Buffer } from 'node:buffer';
import { writeSync } from 'node:fs';
import {
  type Manifest,
  newRunId,
  openBundle,
  runEndEvent,
  runStartEvent,
  sealEvent,
  sealManifest,
  toolCallEvent,
  toTraceValue,
} from '../../src/write.js';

// Records one run after another over the same path until it is killed. Whatever a call returned for is told to the
// parent at once, by a synchronous write.
const path = process.argv[2] as string;
const tell = (word: string, ...rest: string[]): void => void writeSync(1, `${[word, ...rest].join(' ')}\n`);

for (let run = 0; ; run++) {
  const manifest: Manifest = {
    format: 'stepfork',
    schema_version: '0.1',
    run_id: newRunId(),
    agent_name: 'child',
    created_at: '2026-10-08T10:00:00Z',
    status: 'completed',
    failure: null,
    environment: { python: null, os: null, stepfork_version: null },
    totals: { events: 0, llm_calls: 0, tool_calls: 0, cost_usd: null, duration_ms: null },
  };
  const sealed = sealManifest(manifest, []);
  const writer = openBundle({
    path,
    overwrite: true,
    manifest: sealed,
    runtime: {
      ...{ type: 'runtime', schema: 'stepfork-runtime/1', language: 'node', language_version: '20' },
      ...{ recorder_version: '0', started_at_ms: 0, time_zone: 'UTC', tags: {} },
      redaction: { ruleset: 'default', fingerprint: '' },
    },
  });
  const base = { run_id: manifest.run_id };
  tell('event', manifest.run_id, writer.append(sealEvent(runStartEvent(base), [])).id);
  for (let step = 1; step < 20; step++) {
    const size = (step * 977 * (run + 1)) % 20_000;
    // Every fifth has binary data, most of it too large for the event itself.
    const input = step % 5 === 0 ? toTraceValue(Buffer.alloc(3 * size, step)) : 'x'.repeat(size);
    const event = toolCallEvent({ ...base, step, name: 'work', input });
    tell('event', manifest.run_id, writer.append(sealEvent(event, [])).id);
    writer.appendRuntime({ type: 'call', call_id: event.id, answered: 'promise' });
  }
  tell(
    'event',
    manifest.run_id,
    writer.append(sealEvent(runEndEvent({ ...base, step: 20, run_status: 'completed' }), [])).id,
  );
  writer.finish(sealed);
  tell('finished', manifest.run_id);
}
