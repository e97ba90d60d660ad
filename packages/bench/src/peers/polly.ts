import { join } from 'node:path';
import FetchAdapter from '@pollyjs/adapter-fetch';
import { type MODE, Polly } from '@pollyjs/core';
import FilePersister from '@pollyjs/persister-fs';
import { searchBy } from '../http/exchange.js';
import type { HttpMock, HttpRecorder } from '../http/peers.js';

// Their types tell of a default export inside of what is imported; the class itself is imported.
Polly.register(FetchAdapter as unknown as typeof FetchAdapter.default);
Polly.register(FilePersister as unknown as typeof FilePersister.default);

function open(mode: MODE, recordingsDir: string, order: boolean): Polly {
  return new Polly('bench', {
    mode,
    adapters: ['fetch'],
    persister: 'fs',
    persisterOptions: { fs: { recordingsDir } },
    recordIfMissing: mode === 'record',
    // Without it there is one recorded answer for all equal requests.
    matchRequestsBy: { order },
    // An answer is given before it is kept.
    flushRequestsOnStop: true,
    logLevel: 'silent',
  });
}

/** @param path answers another one each time */
export function pollyRecorder(path: () => string): HttpRecorder {
  return {
    name: 'Polly.JS, recording',
    record: async (work) => {
      const polly = open('record', path(), true);
      const result = await work();
      await polly.stop();
      return result;
    },
  };
}

export async function pollyRecording(folder: string, origin: string): Promise<HttpMock> {
  const recordings = join(folder, 'polly');
  const recorder = open('record', recordings, false);
  await searchBy(fetch, origin);
  await recorder.stop();
  let polly: Polly | null = null;
  return {
    name: 'Polly.JS',
    start: () => {
      polly = open('replay', recordings, false);
    },
    stop: () => polly?.stop(),
  };
}
