import { join } from 'node:path';
import { createRedactor } from '@stepfork/redact';
import {
  createTrace,
  openBundle,
  runEndEvent,
  runStartEvent,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format/write';
import type { Bench } from '../bench.js';
import { flights, QUERY } from '../data/flights.js';
import { inFolder } from '../measure/folder.js';
import { median } from '../measure/median.js';
import { runChild } from '../measure/processes.js';
import { toRows } from '../measure/rounds.js';

const PARSE = 'floor: read, split, JSON.parse';
const CASES = [
  { name: PARSE, task: 'parse' },
  { name: 'Stepfork: validate and verify', task: 'verify' },
  { name: 'Stepfork: loadTrace', task: 'load' },
  { name: 'readline, zod, canonical text again', task: 'readline' },
] as const;

export const reading: Bench = {
  name: 'read',
  question: 'How fast, and in how much memory, is a large bundle checked?',
  run: (effort) =>
    inFolder((folder) => {
      const calls = effort === 'full' ? 25_000 : 50;
      const bundle = writeBundle(join(folder, 'large.sftrace'), calls);
      const times = new Map<string, number[]>(CASES.map(({ name }) => [name, []]));
      const memory = new Map<string, number[]>(CASES.map(({ name }) => [name, []]));
      for (let round = 0; round < (effort === 'full' ? 5 : 1); round++) {
        for (const { name, task } of CASES) {
          const { ms, rss } = runChild(task, bundle);
          times.get(name)?.push(ms);
          memory.get(name)?.push(rss);
        }
      }
      const cases = CASES.map(({ name }) => ({
        name,
        note: `peak ${Math.round(median(memory.get(name) ?? []) / (1 << 20))} MB resident`,
      }));
      return [
        {
          title: `A bundle of ${calls.toLocaleString('en')} calls, about 4 KB each`,
          unit: 'ms',
          reference: PARSE,
          method: 'Each in a process of its own, in turn; the start of the process is not part of it.',
          rows: toRows(cases, times, PARSE),
        },
      ];
    }),
};

function writeBundle(path: string, calls: number): string {
  const redactor = createRedactor();
  const { events: _events, runtime: _runtime, ...manifest } = createTrace({ agentName: 'bench', status: 'completed' });
  const sealed = redactor.redactManifest(manifest);
  const writer = openBundle({ path, manifest: sealed });
  const { run_id } = manifest;
  const output = flights(4_096) as never;
  let step = 0;
  writer.append(redactor.redactEvent(runStartEvent({ run_id, step: step++, input: null })));
  for (let n = 0; n < calls; n++) {
    const call = toolCallEvent({ run_id, step: step++, name: 'search_flights', input: { ...QUERY, n } });
    writer.append(redactor.redactEvent(call));
    writer.append(
      redactor.redactEvent(
        toolResultEvent({ run_id, step: step++, parent_id: call.id, name: 'search_flights', output }),
      ),
    );
  }
  writer.append(redactor.redactEvent(runEndEvent({ run_id, step, run_status: 'completed', output: null })));
  return writer.finish(sealed);
}
