import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import type { Effort, Table } from '../bench.js';
import { inFolder } from '../measure/folder.js';
import { toRows } from '../measure/rounds.js';
import { firstChunk } from './stream.js';

const BARE = 'bare fetch';
const OURS = 'Stepfork, recording';
const ADDED = 'added by recording';

/** How much later the first piece of a streamed answer is there when it is recorded. */
export function firstChunkTable(origin: string, effort: Effort): Promise<Table> {
  return inFolder(async (folder) => {
    const pairs = effort === 'full' ? 150 : 3;
    const taken = await record('bench', { output: join(folder, 'run.sftrace') }, () => sideBySide(origin, pairs));
    return {
      title: 'The first chunk of a streamed answer',
      unit: 'ms',
      reference: BARE,
      method: `${pairs} pairs of requests, one after the other; from asking until the first server-sent event is there. The last row is the median of the differences within the pairs.`,
      rows: toRows([{ name: BARE }, { name: OURS }, { name: ADDED }], taken, BARE),
    };
  });
}

async function sideBySide(origin: string, pairs: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const recordedFetch = createRecordedFetch(fetch);
  const bare: number[] = [];
  const ours: number[] = [];
  // The first pairs warm up.
  for (let pair = -Math.ceil(pairs / 10); pair < pairs; pair++) {
    const turns = [
      async () => bare.push(await firstChunk(fetch, origin)),
      async () => ours.push(await firstChunk(recordedFetch, origin)),
    ];
    for (const turn of pair % 2 === 0 ? turns : turns.reverse()) await turn();
    if (pair < 0) {
      bare.length = 0;
      ours.length = 0;
    }
  }
  const added = ours.map((ms, pair) => ms - (bare[pair] ?? Number.NaN));
  return new Map([
    [BARE, bare],
    [OURS, ours],
    [ADDED, added],
  ]);
}
