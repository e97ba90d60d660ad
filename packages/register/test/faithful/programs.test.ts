import { mkdtempSync, rmSync } from 'node:fs';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { record } from '@stepfork/recorder';
import axios from 'axios';
import got from 'got';
import fetch from 'node-fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installHttp } from '../../src/http-client.js';
import { readThrough, type Seen, said } from '../support/http-clients.js';
import { type Answer, roundTrip } from '../support/round-trip.js';

let uninstall: () => void;
beforeAll(() => {
  uninstall = installHttp({ http: true });
});
afterAll(() => uninstall());

const EVENTS = { 'content-type': 'text/event-stream' };

/** Events without an end: one, and one more for whatever else is asked, which has a short answer. */
function endless(): Answer {
  let streaming: ServerResponse | null = null;
  return (request, response) => {
    if (request.url === '/events') {
      streaming = response;
      return response.writeHead(200, EVENTS).write('data: 0\n\n');
    }
    return response.end(`${request.method} ${request.url}`, () => streaming?.write('data: more\n\n'));
  };
}

/** Events without an end, that come by themselves. */
const restless: Answer = (_request, response) => {
  response.writeHead(200, EVENTS).write('data: 0\n\n');
  const writing = setInterval(() => response.write('data: more\n\n'), 20);
  response.on('close', () => clearInterval(writing));
};

type Watch = (request: ClientRequest) => void;

function headOf(
  url: string,
  options: RequestOptions = {},
  watch: Watch = () => {},
): Promise<[IncomingMessage, ClientRequest]> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, options, (response) => resolve([response, request]));
    watch(request);
    request.on('error', reject).end();
  });
}

async function textOf(url: string): Promise<string> {
  const [response] = await headOf(url);
  return (await readThrough(response)).join('');
}

async function expectFaithful<T>(answer: Answer, agent: (origin: string) => Promise<T>): Promise<T> {
  const { live, replayed, report, requests } = await roundTrip(answer, agent);
  expect(replayed).toEqual(live);
  expect([report.divergence, report.facets.execution, requests]).toEqual([null, 'completed', 0]);
  return live;
}

describe.concurrent('a program that goes on at the head of an answer', () => {
  test('makes its next requests meanwhile', async () => {
    const live = await expectFaithful(endless(), async (origin) => {
      const [response] = await headOf(`${origin}/events`);
      response.resume();
      const next = [await textOf(`${origin}/a`), await textOf(`${origin}/b`)];
      response.destroy();
      return [response.statusCode, ...next];
    });
    expect(live).toEqual([200, '"GET /a"end', '"GET /b"end']);
  });

  test('and never reads the answer', async () => {
    const live = await expectFaithful(endless(), async (origin) => {
      const [response, request] = await headOf(`${origin}/events`);
      const next = await textOf(`${origin}/a`);
      request.destroy();
      return [response.statusCode, next];
    });
    expect(live).toEqual([200, '"GET /a"end']);
  });

  test('and ends with the answer still open, what it read of it being kept', async () => {
    const { live, replayed, report, trace } = await roundTrip(endless(), async (origin) => {
      const [response] = await headOf(`${origin}/events`);
      return new Promise<string>((resolve) => response.once('data', (bytes) => resolve(String(bytes))));
    });
    expect([live, replayed, report.divergence]).toEqual([expect.stringContaining('data: 0'), live, null]);
    expect(trace.events.map(({ type }) => type)).toEqual(['run_start', 'tool_call', 'run_end']);
  });

  test('starts tools by what it is told of', async () => {
    await expectFaithful(endless(), async (origin) => {
      const [response] = await headOf(`${origin}/events`);
      const seen: string[] = [];
      for await (const bytes of response) {
        seen.push(String(bytes), await textOf(`${origin}/${seen.length}`));
        if (seen.length === 6) break;
      }
      return seen;
    });
  });

  test.each<[string, RequestOptions, Watch]>([
    ['by the option', { timeout: 800 }, (request) => request.on('timeout', () => request.destroy())],
    ['by setTimeout', {}, (request) => request.setTimeout(800, () => request.destroy())],
  ])('gives up an answer that falls silent, %s', async (_how, options, watch) => {
    const live = await expectFaithful(endless(), async (origin) => {
      const [response] = await headOf(`${origin}/events`, options, watch);
      return [...(await readThrough(response)), await textOf(`${origin}/next`)];
    });
    expect(live.slice(1)).toEqual([expect.stringContaining('"aborted","code":"ECONNRESET"'), '"GET /next"end']);
  });

  test('aborts by a signal', async () => {
    const live = await expectFaithful(restless, async (origin) => {
      const controller = new AbortController();
      const [response] = await headOf(`${origin}/events`, { signal: controller.signal });
      const read: string[] = [];
      response.on('data', (bytes) => {
        read.push(String(bytes));
        if (read.length === 2) controller.abort();
      });
      const error = await new Promise<Error>((resolve) => response.on('error', resolve));
      return [...read, said(error), response.complete];
    });
    expect(live).toHaveLength(4);
  });

  test.each<[string, (url: string) => Promise<unknown>]>([
    [
      'node:http',
      async (url) => {
        const [response] = await headOf(url);
        const first = await new Promise((resolve) => response.once('data', resolve));
        response.destroy();
        return String(first);
      },
    ],
    [
      'axios',
      async (url) => {
        const { data } = await axios.get<IncomingMessage>(url, { responseType: 'stream' });
        for await (const bytes of data) return String(bytes);
        return null;
      },
    ],
    [
      'got',
      async (url) => {
        for await (const bytes of got.stream(url)) return String(bytes);
        return null;
      },
    ],
    [
      'node-fetch',
      async (url) => {
        for await (const bytes of (await fetch(url)).body ?? []) return String(bytes);
        return null;
      },
    ],
  ])('gives the answer up after its first piece: %s', async (_name, first) => {
    const { live, replayed, report, trace, requests } = await roundTrip(endless(), async (origin) => [
      await first(`${origin}/events`),
      await textOf(`${origin}/next`),
    ]);
    expect(live).toEqual([expect.stringContaining('data: 0'), '"GET /next"end']);
    expect([replayed, report.divergence, requests]).toEqual([live, null, 0]);
    const outputs = trace.events.flatMap((event) => (event.type === 'tool_result' ? [event.output] : []));
    expect(outputs[0]).toMatchObject({ end: 'cancelled' });
  });
});

describe.concurrent('a redirect to another host', () => {
  const answer: Answer = ({ url, headers: { host = '' } }, response) => {
    const [name, port] = host.split(':');
    if (url === '/there') return response.end(`at ${name}`);
    return response.writeHead(302, { location: `http://localhost:${port}/there` }).end();
  };

  test.each<[string, (url: string) => Promise<string>]>([
    ['axios', async (url) => (await axios.get<string>(url)).data],
    ['got', async (url) => got(url, { dnsLookupIpVersion: 4 }).text()],
    ['node-fetch', async (url) => (await fetch(url)).text()],
  ])('is followed: %s', async (_name, ask) => {
    const live = await expectFaithful(answer, (origin) => ask(`${origin}/here`));
    expect(live).toBe('at localhost');
  });
});

describe.concurrent('what comes beside an answer', () => {
  test('is given back: hints before it, trailers after it', async () => {
    const answer: Answer = async ({ url }, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload', 'x-trace': 't1' });
      response.writeHead(200, {
        'content-type': url === '/text' ? 'text/plain' : 'text/event-stream',
        trailer: 'x-sum',
      });
      response.write('data: 1\n\n');
      await setTimeout(20);
      response.addTrailers({ 'x-sum': '4711', authorization: 'Bearer secret-of-mine-4711' });
      response.end();
    };
    const asked = (url: string): Promise<Seen> =>
      new Promise((resolve) => {
        const seen: string[] = [];
        const request = http.get(url, (response) => {
          seen.push(`${response.statusCode}`);
          response.resume().on('end', () => {
            const { trailers, rawTrailers } = response;
            seen.push(JSON.stringify([trailers['x-sum'], rawTrailers.slice(0, 2)]));
            resolve(seen);
          });
        });
        request.on('information', ({ statusCode, headers }) => seen.push(`${statusCode} ${JSON.stringify(headers)}`));
      });
    const { live, replayed, report, trace } = await roundTrip(answer, async (origin) => [
      await asked(`${origin}/text`),
      await asked(`${origin}/events`),
    ]);
    expect(live[0]).toEqual([
      '103 {"link":"</style.css>; rel=preload","x-trace":"t1"}',
      '200',
      '["4711",["x-sum","4711"]]',
    ]);
    expect(live[1]).toEqual(live[0]);
    expect([replayed, report.divergence]).toEqual([live, null]);
    expect(JSON.stringify(trace)).not.toContain('secret-of-mine');
  });

  test('is told a request that asks whether to go on, which is recorded with its body', async () => {
    const answer: Answer = ({ method, headers }, response, body) => response.end(`${method} ${headers.expect} ${body}`);
    const live = await expectFaithful(answer, async (origin) => {
      const seen: string[] = [];
      const headers = { expect: '100-continue', 'content-type': 'application/json' };
      const request = http.request(`${origin}/here`, { method: 'PUT', headers });
      request.on('continue', () => {
        seen.push('continue');
        request.end('{"n":1}');
      });
      request.on('information', ({ statusCode }) => seen.push(`information ${statusCode}`));
      const response = await new Promise<IncomingMessage>((resolve) => request.on('response', resolve));
      return [...seen, ...(await readThrough(response))];
    });
    expect(live).toEqual(['continue', 'information 100', '"PUT 100-continue {\\"n\\":1}"', 'end']);
  });

  test('is asked again by got, as it was', async () => {
    let asked = 0;
    const answer: Answer = (_request, response) =>
      ++asked === 1 ? response.writeHead(503, { 'retry-after': '0' }).end('busy') : response.end('there');
    const live = await expectFaithful(answer, (origin) =>
      got(origin, { retry: { limit: 1, backoffLimit: 20 } }).text(),
    );
    expect(live).toBe('there');
  });

  test('goes its own way where a connection becomes another one', async () => {
    const server = http.createServer().on('upgrade', (_request, socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello');
    });
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
    const folder = mkdtempSync(join(tmpdir(), 'stepfork-upgrade-'));
    try {
      const said = await record('asking', { output: join(folder, 'run.sftrace') }, async () => {
        const request = http.request({ port, headers: { connection: 'upgrade', upgrade: 'echo' } });
        return new Promise((resolve) => request.on('upgrade', (_answer, _socket, head) => resolve(String(head))).end());
      });
      expect(said).toBe('hello');
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
