import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { replay } from '@stepfork/replay';
import OpenAI from 'openai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instrument } from '../src/index.js';

let folder: string;
let server: Server;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork-openai-'));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const isFull = process.env.STEPFORK_FULL === '1';
const STATUSES = isFull ? [200, 201, 202, 204, 205, 299, 304, 400, 401, 404, 408, 409, 429, 500] : [200, 204, 400];
const TYPES = ['application/json', 'application/problem+json; charset=utf-8', 'text/event-stream', 'audio/wav', ''];
const BODIES: Readonly<Record<string, string>> = {
  none: '',
  object: '{"id":"r1","error":{"message":"no","code":"c1","type":"t1","param":"p1"}}',
  scalar: '"text"',
  broken: '{"id":',
  events: 'data: {"id":"e1"}\n\ndata: [DONE]\n\n',
};
const FRAMINGS = ['sized', 'chunked'];
const SEEN = [
  'content-type',
  'content-length',
  'x-request-id',
  'openai-organization',
  'x-total-pages',
  'openai-poll-after-ms',
];

/** What the path says: which status, body, type and framing. */
async function startServer(): Promise<string> {
  server = createServer(({ url = '' }, response) => {
    const [, status, body = '', type = '', framing] = url.split('/');
    const text = BODIES[body] ?? '';
    const contentType = TYPES[Number(type)] ?? '';
    response.statusCode = Number(status);
    if (contentType !== '') response.setHeader('content-type', contentType);
    response.setHeader('x-request-id', 'req_1').setHeader('openai-organization', 'org_1');
    response.setHeader('x-total-pages', '3').setHeader('openai-poll-after-ms', '7');
    if (framing === 'sized') response.setHeader('content-length', Buffer.byteLength(text));
    else response.flushHeaders();
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ways of asking, with all that a caller can see of the answer. */
const WAYS: Readonly<Record<string, (openai: OpenAI, path: string) => Promise<unknown>>> = {
  async parsed(openai, path) {
    const { data, request_id: requestId } = await openai.get(path).withResponse();
    return { data, requestId };
  },
  async raw(openai, path) {
    const response = await openai.get(path).asResponse();
    const { status, statusText, ok, headers, body } = response;
    return [status, statusText, ok, SEEN.map((name) => headers.get(name)), body === null, await response.text()];
  },
  async streamed(openai, path) {
    const events: unknown[] = [];
    const stream = (await openai.get(path, { stream: true })) as AsyncIterable<unknown>;
    for await (const event of stream) events.push(event);
    return events;
  },
};

async function outcome(asked: Promise<unknown>): Promise<unknown> {
  try {
    return { gave: await asked };
  } catch (thrown) {
    const { constructor: of, message, ...fields } = thrown as Error;
    const { status, code, type, param, requestID } = fields as Partial<InstanceType<typeof OpenAI.APIError>>;
    return { threw: [of.name, message, status, code, type, param, requestID] };
  }
}

test('a caller is told the same by a recording as by the server, whatever that answers', async () => {
  const openai = instrument(new OpenAI({ apiKey: 'sk-test', baseURL: await startServer(), maxRetries: 0 }));
  const paths = STATUSES.flatMap((status) =>
    Object.keys(BODIES).flatMap((body) =>
      TYPES.flatMap((_, type) => FRAMINGS.map((framing) => `/${status}/${body}/${type}/${framing}`)),
    ),
  );
  const askAll = async (): Promise<Record<string, unknown>> => {
    const outcomes: Record<string, unknown> = {};
    for (const path of paths)
      for (const [way, ask] of Object.entries(WAYS)) outcomes[`${path} ${way}`] = await outcome(ask(openai, path));
    return outcomes;
  };
  const live = await askAll();
  const output = join(folder, 'run.sftrace');
  expect(await record('asking', { output }, askAll)).toEqual(live);
  server.closeAllConnections();
  server.close();
  let replayed: unknown;
  const report = await replay(output, async () => {
    replayed = await askAll();
  });
  expect(replayed).toEqual(live);
  expect(report.divergence).toBeNull();
}, 60_000);
