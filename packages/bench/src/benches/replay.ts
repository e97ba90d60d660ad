import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { replay } from '@stepfork/replay';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import type { Bench, Effort, Table } from '../bench.js';
import { flights, QUERY } from '../data/flights.js';
import { inFolder } from '../measure/folder.js';
import { measureRounds } from '../measure/rounds.js';

const BARE = 'the bare function';
const RESULT = flights(4_096);

interface Query {
  readonly n: number;
}

const body = async (query: Query): Promise<unknown> => ({ n: query.n, ...RESULT });
const search = traceTool('search_flights', body);

/** An agent that makes `calls` calls, `abreast` at a time. */
const agent = (tool: typeof body, calls: number, abreast: number) => async (): Promise<number> => {
  for (let n = 0; n < calls; n += abreast) {
    await Promise.all(Array.from({ length: Math.min(abreast, calls - n) }, (_, i) => tool({ ...QUERY, n: n + i })));
  }
  return calls;
};

export const replaying: Bench = {
  name: 'replay',
  question: 'How many recorded calls does a replay answer in a second?',
  run: async (effort) => [await tableOf('one after the other', 1, effort), await tableOf('50 at a time', 50, effort)],
};

async function tableOf(how: string, abreast: number, effort: Effort): Promise<Table> {
  const calls = effort === 'full' ? 1_000 : 50;
  return inFolder(async (folder) => {
    const path = join(folder, 'run.sftrace');
    await record('bench', { output: path }, agent(search, calls, abreast));
    const trace = loadTrace(path);
    const rows = await measureRounds(
      [
        { name: BARE, run: () => agent(body, calls, abreast)() },
        { name: 'replayed in recorded order', run: () => matched(trace, agent(search, calls, abreast), 'recorded') },
        { name: 'replayed in any order', run: () => matched(trace, agent(search, calls, abreast), 'any') },
      ],
      { rounds: effort === 'full' ? 9 : 1, times: 1, reference: BARE, nanoseconds: 1_000 * calls },
    );
    return {
      title: `Replayed calls, ${how}`,
      unit: 'µs a call',
      reference: BARE,
      method: `A run of ${calls} calls, 4 KB each, replayed from a loaded trace; making the plan and the report are part of it.`,
      rows: rows.map((row) => ({ ...row, note: `${Math.round(1e6 / row.value)} calls/s` })),
    };
  });
}

async function matched(trace: Trace, entrypoint: () => Promise<number>, order: 'recorded' | 'any'): Promise<number> {
  const { verdict, counts } = await replay(trace, entrypoint, { order });
  if (verdict !== 'matched') throw new Error(`the replay that was measured ${verdict}`);
  return counts.substituted;
}
