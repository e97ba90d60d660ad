import { join } from 'node:path';
import type { Effort, Table } from '../bench.js';
import { writeBundle } from '../data/bundle.js';
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

/** How fast, and in how much memory, one large bundle is read. */
export function largeBundleTable(effort: Effort): Promise<Table> {
  return inFolder((folder) => {
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
    return {
      title: `A bundle of ${calls.toLocaleString('en')} calls, about 4 KB each`,
      unit: 'ms',
      reference: PARSE,
      method: 'Each in a process of its own, in turn; the start of the process is not part of it.',
      rows: toRows(cases, times, PARSE),
    };
  });
}
