import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import type { Effort, Table } from '../bench.js';
import { inFolder } from '../measure/folder.js';
import { measureRounds } from '../measure/rounds.js';
import { searching } from './exchange.js';
import { httpRecorders } from './peers.js';
import { BARE } from './replay-table.js';

/** How long a request takes that is really made, and recorded. */
export function recordTable(how: string, abreast: number, origin: string, effort: Effort): Promise<Table> {
  const calls = effort === 'full' ? 100 : Math.min(abreast, 10);
  return inFolder(async (folder) => {
    const recordedFetch = createRecordedFetch(fetch, { http: true });
    const peers = await httpRecorders(folder);
    let runs = 0;
    const rows = await measureRounds(
      [
        { name: BARE, run: () => searching(fetch, origin, calls, abreast)() },
        {
          name: 'Stepfork, recording',
          run: () => {
            const output = join(folder, `${runs++}.sftrace`);
            return record('bench', { output }, searching(recordedFetch, origin, calls, abreast));
          },
        },
        ...peers.map(({ name, record: recordBy }) => ({
          name,
          // They put a `fetch` of their own in its place.
          run: () => recordBy(() => searching(fetch, origin, calls, abreast)()),
        })),
      ],
      { rounds: effort === 'full' ? 9 : 1, times: 1, reference: BARE, nanoseconds: 1_000 * calls },
    );
    return {
      title: `HTTP, recorded ${how}`,
      unit: 'µs a request',
      reference: BARE,
      method: `${calls} requests to the same server, 2 KB up and 4 KB of JSON down; starting and finishing a recording are part of it.`,
      rows,
    };
  });
}
