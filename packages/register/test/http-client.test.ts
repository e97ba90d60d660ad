import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type RequestOptions, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { record } from '@stepfork/recorder';
import { type ReplayReport, replay } from '@stepfork/replay';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import axios from 'axios';
import got from 'got';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installHttp } from '../src/http-client.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

let folder: string;
let server: http.Server | null = null;
let uninstall: () => void;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork-http-'));
  uninstall = installHttp({ http: true });
});
afterEach(() => {
  stop();
  uninstall();
  rmSync(folder, { recursive: true });
});

async function serve(answer: Answer): Promise<string> {
  server = http.createServer((request, response) => request.resume().on('end', () => answer(request, response)));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function stop(): void {
  server?.closeAllConnections();
  server?.close();
  server = null;
}

interface Both<T> {
  readonly live: T;
  readonly replayed: T;
  readonly report: ReplayReport;
  readonly trace: Trace;
}

async function both<T>(agent: () => Promise<T>): Promise<Both<T>> {
  const output = join(folder, 'run.sftrace');
  const live = await record('asking', { output }, agent);
  stop();
  let replayed: T | undefined;
  const report = await replay(output, async () => {
    replayed = await agent();
  });
  return { live, replayed: replayed as T, report, trace: loadTrace(output) };
}

type Begin = (request: http.ClientRequest, told: string[]) => void;

/** All that the one who makes a request is told, in order. */
function asked(url: string, options: RequestOptions = {}, begin: Begin = () => {}): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const told: string[] = [];
    let isAnswered = false;
    const over = (): void => resolve(told);
    const request = (url.startsWith('https:') ? https : http).request(url, options);
    request.on('timeout', () => told.push('timeout'));
    request.on('error', (error) => told.push(`error ${described(error)}`));
    request.on('response', (response) => {
      let text = '';
      isAnswered = true;
      told.push(`response ${response.statusCode} ${response.headers['content-length'] ?? ''}`);
      response.on('data', (piece) => {
        text += String(piece);
      });
      response.on('error', (error) => told.push(`response error ${described(error)}`));
      response.on('close', () => told.push(`said ${text}`));
      response.on('close', over);
    });
    request.on('close', () => {
      if (!isAnswered) over();
    });
    begin(request, told);
    request.end();
  });
}

function described(error: Error): string {
  const { name, message, ...fields } = error as Error & Record<string, unknown>;
  const { code, errno, syscall, address, port } = fields;
  return JSON.stringify({ name, message, code, errno, syscall, address, port });
}

/** Takes away all that listens to a request, whoever put it there. */
function bereft(url: string): Promise<string> {
  return new Promise((resolve) => {
    const request = http.request(url);
    request.removeAllListeners().on('error', ({ message }) => resolve(message));
    request.end();
  });
}

describe('a request by node:http that fails', () => {
  test('is recorded with its error, which a replay gives: nobody there', async () => {
    const url = await serve(() => {});
    stop();
    const { live, replayed, report, trace } = await both(() => asked(url));
    expect(live).toEqual([expect.stringMatching(/error .*ECONNREFUSED.*"errno":-\d+,"syscall":"connect"/)]);
    expect([replayed, report.divergence]).toEqual([live, null]);
    expect(trace.events.map(({ type }) => type)).toEqual(['run_start', 'tool_call', 'tool_result', 'error', 'run_end']);
  });

  test('and a connection that is reset, before the answer and within it', async () => {
    const url = await serve(({ url: path }, response) => {
      if (path === '/early') response.destroy();
      else
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n', () => response.destroy());
    });
    const { live, replayed, report } = await both(async () => [
      await asked(`${url}/early`),
      await asked(`${url}/late`),
    ]);
    expect(live).toEqual([
      [expect.stringContaining('"message":"socket hang up","code":"ECONNRESET"')],
      ['response 200 ', expect.stringContaining('"message":"aborted","code":"ECONNRESET"'), 'said data: 1\n\n'],
    ]);
    expect([replayed, report.divergence]).toEqual([live, null]);
  });

  test('and one whose TLS does not come about', async () => {
    const url = await serve(() => {});
    const { live, replayed, report } = await both(() => asked(url.replace('http:', 'https:')));
    expect(live).toEqual([expect.stringMatching(/EPROTO|ERR_SSL/)]);
    expect([replayed, report.divergence]).toEqual([live, null]);
  });

  test('also where the program takes all listeners away, or axios and got ask', async () => {
    const url = await serve((_request, response) => response.destroy());
    const { live, replayed, trace } = await both(async () => [
      await asked(url, {}, (request, told) => {
        request.removeAllListeners('error').on('error', () => told.push('mine'));
      }),
      await bereft(url),
      await axios.get(url).catch((error: Error & { code: string }) => [error.name, error.message, error.code]),
      await got(url, { retry: { limit: 0 } }).catch((error: Error & { code: string }) => [error.name, error.code]),
    ]);
    expect(live).toEqual([
      ['mine'],
      'socket hang up',
      ['Error', 'socket hang up', 'ECONNRESET'],
      ['RequestError', 'ECONNRESET'],
    ]);
    expect(replayed).toEqual(live);
    expect(trace.events.filter(({ type }) => type === 'error')).toHaveLength(4);
  });
});

describe('a request by node:http that takes long', () => {
  const slow: Answer = (_request, response) =>
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/plain' }).end('late'), 700);

  test.each([
    [
      'by setTimeout, and is given up',
      {},
      (request: http.ClientRequest) => request.setTimeout(200, () => request.destroy(new Error('too slow'))),
    ],
    [
      'by the option, and is given up',
      { timeout: 200 },
      (request: http.ClientRequest) => request.on('timeout', () => request.destroy()),
    ],
    [
      'by its socket, and is given up',
      { timeout: 200 },
      (request: http.ClientRequest) => request.on('socket', (socket) => socket.on('timeout', () => request.destroy())),
    ],
    ['by the option, and is awaited', { timeout: 200 }, () => {}],
  ])('tells of it on replay, too: %s', async (_how, options, begin) => {
    const url = await serve(slow);
    const { live, replayed, report } = await both(() => asked(url, options, begin));
    expect(live[0]).toBe('timeout');
    expect([replayed, report.divergence]).toEqual([live, null]);
  });

  test('fails in axios as it did', async () => {
    const url = await serve(slow);
    const { live, replayed, report } = await both(() =>
      axios.get(url, { timeout: 200 }).catch((error: Error & { code: string }) => [error.message, error.code]),
    );
    expect(live).toEqual(['timeout of 200ms exceeded', 'ECONNABORTED']);
    expect([replayed, report.divergence]).toEqual([live, null]);
  });
});

test('a request with an empty path is one for the root', async () => {
  const { port } = new URL(await serve((_request, response) => response.end('root')));
  const { live, replayed, report, trace } = await both(
    () =>
      new Promise((resolve, reject) => {
        http.get({ host: '127.0.0.1', port, path: '' }, (response) => resolve(response.statusCode)).on('error', reject);
      }),
  );
  expect([live, replayed, report.divergence]).toEqual([200, 200, null]);
  expect(trace.events.find(({ type }) => type === 'tool_call')).toMatchObject({ input: { path: '/' } });
});

test('what is written after the end of a request is no part of it', async () => {
  const url = await serve((_request, response) => setTimeout(() => response.end('taken'), 50));
  const { report, trace } = await both(() =>
    asked(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (request) => {
      request.end('{"a":1}');
      request.write('more', () => {});
    }),
  );
  expect(trace.events.find(({ type }) => type === 'tool_call')).toMatchObject({ input: { body: { a: 1 } } });
  expect(report.divergence).toBeNull();
});

test('a form by node:http is one of its fields, whatever packed it', async () => {
  const url = await serve((_request, response) => response.end('taken'));
  const { live, replayed, report, trace } = await both(
    async () => (await axios.postForm<string>(url, { model: 'whisper-1', tag: ['one', 'two'] })).data,
  );
  expect([live, replayed, report.divergence]).toEqual(['taken', 'taken', null]);
  expect(trace.events.find(({ type }) => type === 'tool_call')).toMatchObject({
    input: { body: { fields: { model: 'whisper-1', 'tag[]': ['one', 'two'] } } },
  });
});

describe('an answer to a request by node:http', () => {
  const text = JSON.stringify({ said: 'grüße', key: 'sk-proj-4f8Jq2Xw9LmZ7tRb1NcV5yHd' });

  test.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
  ])('is recorded as what it says, and not as it was packed: %s', async (encoding, packed) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const url = await serve((_request, response) => response.writeHead(200, headers).end(packed));
    const { live, replayed, trace } = await both(async () => (await axios.get<{ said: string }>(url)).data.said);
    expect([live, replayed]).toEqual(['grüße', 'grüße']);
    const result = trace.events.find((event) => event.type === 'tool_result');
    expect(result?.output).toMatchObject({ body: { said: 'grüße' } });
    expect(readFileSync(join(folder, 'run.sftrace/events.jsonl'), 'utf8')).not.toContain('4f8Jq2Xw');
  });

  test.each([
    ['a document that is none of that kind', 'gzip', 'application/json', ['{"said":1}']],
    ['a document that is cut up', 'gzip', 'application/json', [gzipSync(text).subarray(0, 9), 'no more of it']],
    ['a document of a kind that nobody here unpacks', 'zstd', 'application/json', ['\x28\xb5\x2f\xfd']],
    ['a stream that is none of that kind', 'gzip', 'application/octet-stream', ['plain ', 'text']],
    ['a stream of a kind that nobody here unpacks', 'compress', 'text/event-stream', ['plain ', 'text']],
    ['a stream that has no bytes', 'deflate', 'application/octet-stream', []],
  ])('is recorded as it came where it cannot be unpacked: %s', async (_what, encoding, type, pieces) => {
    const url = await serve(async (_request, response) => {
      response.writeHead(200, { 'content-type': type, 'content-encoding': encoding });
      for (const piece of pieces) response.write(piece, 'latin1');
      response.end();
    });
    const { live, replayed, report, trace } = await both(
      () =>
        new Promise((resolve, reject) => {
          const request = http.get(url, async (response) => {
            const came: Uint8Array[] = [];
            for await (const piece of response) came.push(piece as Uint8Array);
            const kept = pieces.length === 0 ? encoding : response.headers['content-encoding'];
            resolve([kept, Buffer.concat(came).toString('latin1')]);
          });
          request.on('error', reject);
        }),
    );
    expect(live).toEqual([encoding, expect.any(String)]);
    expect([replayed, report.divergence]).toEqual([live, null]);
    expect(trace.events.map(({ type: is }) => is)).not.toContain('error');
  });

  test('without a body is whole: HEAD, 204, a length of 0', async () => {
    const url = await serve(({ url: path }, response) => {
      if (path === '/none') response.writeHead(204).end();
      else response.writeHead(200, { 'content-length': path === '/zero' ? 0 : 4711 }).end();
    });
    const { live, replayed, report, trace } = await both(async () => [
      await asked(`${url}/head`, { method: 'HEAD' }),
      await asked(`${url}/none`),
      await asked(`${url}/zero`),
    ]);
    expect(live).toEqual([
      ['response 200 4711', 'said '],
      ['response 204 ', 'said '],
      ['response 200 0', 'said '],
    ]);
    expect([replayed, report.divergence]).toEqual([live, null]);
    expect(trace.events.filter(({ type }) => type === 'tool_result')).toHaveLength(3);
  });
});
