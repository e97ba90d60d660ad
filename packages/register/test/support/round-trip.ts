import { mkdtempSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { type ReplayReport, replay } from '@stepfork/replay';
import { loadTrace, type Trace } from '@stepfork/trace-format';

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

export interface RoundTrip<T> {
  readonly live: T;
  readonly replayed: T;
  readonly report: ReplayReport;
  readonly trace: Trace;
  /** Of the requests of the replay, how many came to a server. */
  readonly requests: number;
}

/**
 * What an agent comes to against a server, and then against the recording of that.
 *
 * @param before asks the same server, unrecorded
 */
export async function roundTrip<T>(
  answer: Answer,
  agent: (origin: string) => Promise<T>,
  before: (origin: string) => Promise<void> = async () => {},
): Promise<RoundTrip<T>> {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-faithful-'));
  try {
    const output = join(folder, 'run.sftrace');
    const server = await serve(answer);
    const port = (server.address() as AddressInfo).port;
    const origin = `http://127.0.0.1:${port}`;
    const live = await before(origin)
      .then(() => record('asking', { output }, () => agent(origin)))
      .finally(() => stop(server));
    let requests = 0;
    const counting = await serve((_request, response) => {
      requests++;
      response.destroy();
    }, port);
    const seen: T[] = [];
    const run = async (): Promise<void> => void seen.push(await agent(origin));
    const report = await replay(output, run, { noProgressMs: 1500 }).finally(() => stop(counting));
    return { live, replayed: seen[0] as T, report, trace: loadTrace(output), requests };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function serve(answer: Answer, port = 0): Promise<http.Server> {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const bytes of request) body += String(bytes);
    await answer(request, response, body);
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

async function stop(server: http.Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
