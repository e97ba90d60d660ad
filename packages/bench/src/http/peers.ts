import { join } from 'node:path';

/** Something that answers the search of exchange.ts in place of its server, and matches it by method, URL and body. */
export interface HttpMock {
  readonly name: string;
  readonly start: () => unknown;
  /** Leaves `fetch` as it was. */
  readonly stop: () => unknown;
}

/** Something that keeps the answers of real requests. */
export interface HttpRecorder {
  readonly name: string;
  /** Does the work while recording, and writes what was recorded. */
  readonly record: (work: () => Promise<number>) => Promise<number>;
}

/**
 * Loaded when they are needed, and after a first request was made: some of them replace what `fetch` sends by as soon
 * as they are imported.
 */
export async function httpMocks(folder: string, origin: string): Promise<readonly HttpMock[]> {
  const { mockAgent, snapshotAgent } = await import('../peers/undici.js');
  const { mswServer } = await import('../peers/msw.js');
  const { nockScope } = await import('../peers/nock.js');
  const { pollyRecording } = await import('../peers/polly.js');
  return [
    mockAgent(origin),
    await snapshotAgent(folder, origin),
    await pollyRecording(folder, origin),
    mswServer(origin),
    nockScope(origin),
  ];
}

/** Loaded in the same way. */
export async function httpRecorders(folder: string): Promise<readonly HttpRecorder[]> {
  const { snapshotRecorder } = await import('../peers/undici.js');
  const { pollyRecorder } = await import('../peers/polly.js');
  let files = 0;
  const path = (): string => join(folder, `peer-${files++}`);
  return [snapshotRecorder(path), pollyRecorder(path)];
}
