import type { Bench } from '../bench.js';
import { firstChunkTable } from '../http/first-chunk-table.js';
import { recordTable } from '../http/record-table.js';
import { replayTable } from '../http/replay-table.js';
import { besideServer } from '../measure/server.js';

export const http: Bench = {
  name: 'http',
  question: 'What does a request through fetch cost, answered from a recording, and really made and recorded?',
  run: (effort) =>
    besideServer(async (origin) => [
      await replayTable('one after the other', 1, origin, effort),
      await replayTable('50 at a time', 50, origin, effort),
      await recordTable('one after the other', 1, origin, effort),
      await recordTable('50 at a time', 50, origin, effort),
      await firstChunkTable(origin, effort),
    ]),
};
