import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import type { Effort, Table } from '../bench.js';
import { inFolder } from '../measure/folder.js';
import { type Case, measureRounds } from '../measure/rounds.js';
import { ANSWER, ANSWER_HEADERS, searching } from './exchange.js';
import { type HttpMock, httpMocks } from './peers.js';

export const BARE = 'bare fetch, loopback server';

/** How long a request takes that is answered from a recording or by a mock. */
export function replayTable(how: string, abreast: number, origin: string, effort: Effort): Promise<Table> {
  const calls = effort === 'full' ? 100 : Math.min(abreast, 10);
  return inFolder(async (folder) => {
    const trace = await recorded(join(folder, 'run.sftrace'), origin, calls, abreast);
    const mocks = await httpMocks(folder, origin);
    const rows = await measureRounds(
      [
        { name: BARE, run: () => searching(fetch, origin, calls, abreast)() },
        { name: 'floor: new Response, its JSON', run: () => searching(answered, origin, calls, abreast)() },
        {
          name: 'Stepfork, replaying',
          run: () => matched(trace, searching(recordedFetch(), origin, calls, abreast)),
        },
        ...mocks.map((mock) => caseOf(mock, origin, calls, abreast)),
      ],
      { rounds: effort === 'full' ? 9 : 1, times: 1, reference: BARE, nanoseconds: 1_000 * calls },
    );
    return {
      title: `HTTP, replayed ${how}`,
      unit: 'µs a request',
      reference: BARE,
      method: `${calls} equal requests, 2 KB up and 4 KB of JSON down, each matched by method, address and body; making Stepfork's plan and report is part of it, setting up a mock is not.`,
      rows,
    };
  });
}

/** Whatever is asked, without a look at it. */
const answered: typeof fetch = async () => new Response(ANSWER, { headers: ANSWER_HEADERS });

const recordedFetch = (): typeof fetch => createRecordedFetch(fetch, { http: true });

async function recorded(path: string, origin: string, calls: number, abreast: number): Promise<Trace> {
  await record('bench', { output: path }, searching(recordedFetch(), origin, calls, abreast));
  return loadTrace(path);
}

async function matched(trace: Trace, entrypoint: () => Promise<number>): Promise<number> {
  const { verdict, counts } = await replay(trace, entrypoint);
  if (verdict !== 'matched') throw new Error(`the replay that was measured ${verdict}`);
  return counts.substituted;
}

function caseOf({ name, start, stop }: HttpMock, origin: string, calls: number, abreast: number): Case {
  return { name, before: start, run: () => searching(fetch, origin, calls, abreast)(), after: stop };
}
