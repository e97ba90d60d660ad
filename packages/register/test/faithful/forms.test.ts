import { mkdtempSync, rmSync } from 'node:fs';
import http, { Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { record } from '@stepfork/recorder';
import { replay } from '@stepfork/replay';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installHttp } from '../../src/http-client.js';
import { type Answer, roundTrip } from '../support/round-trip.js';

let uninstall: () => void;
beforeAll(() => {
  uninstall = installHttp({ http: true });
});
afterAll(() => uninstall());

const answer: Answer = ({ method, url }, response, body) => {
  if (url === '/204') return response.writeHead(204).end();
  if (url === '/304') return response.writeHead(304, { etag: '"one"' }).end();
  return response.writeHead(200, { 'content-type': 'text/plain' }).end(`${method} ${url} ${body}`);
};

type Hear = (response: IncomingMessage) => void;
type Make = (origin: string, hear: Hear) => ClientRequest | undefined;

/** All that the one who makes a request is told. */
function asked(make: (hear: Hear) => ClientRequest | undefined): Promise<readonly string[]> {
  const told: string[] = [];
  return new Promise((resolve) => {
    const request = make((response) => {
      told.push(`response ${response.statusCode} ${response.statusMessage} ${response.headers['content-length']}`);
      response.on('data', (piece) => told.push(`data ${piece}`));
      for (const event of ['aborted', 'end', 'close'] as const)
        response.on(event, () => told.push(`response ${event}`));
    });
    request?.on('error', ({ message }) => told.push(`error ${message}`));
    for (const event of ['finish', 'abort'] as const) request?.on(event, () => told.push(event));
    request?.on('close', () => {
      told.push(`close ${request.destroyed}`);
      setTimeout(() => resolve(told), 10);
    });
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

const FORMS: Readonly<Record<string, Make>> = {
  'a URL and a callback': (origin, hear) => http.get(new URL(`${origin}/a`), hear),
  'a URL, options and a callback': (origin, hear) => http.get(`${origin}/a`, { headers: { 'x-a': '1' } }, hear),
  'options alone': (origin, hear) => http.get({ port: new URL(origin).port, host: '127.0.0.1', path: '/a' }, hear),
  'options of no prototype': (origin, hear) =>
    http.get(Object.assign(Object.create(null), { port: new URL(origin).port, host: '127.0.0.1' }), hear),
  'no agent': (origin, hear) => http.get(`${origin}/a`, { agent: false }, hear),
  'an agent that keeps alive': (origin, hear) => http.get(`${origin}/a`, { agent }, hear),
  HEAD: (origin, hear) => http.request(`${origin}/a`, { method: 'HEAD' }, hear).end(),
  '204': (origin, hear) => http.get(`${origin}/204`, hear),
  '304': (origin, hear) => http.get(`${origin}/304`, hear),
  'an upload': (origin, hear) => {
    const request = http.request(`${origin}/a`, { method: 'POST' }, hear);
    void pipeline(Readable.from(['one ', 'two ', 'three']), request);
    return request;
  },
  'an upload by callbacks': (origin, hear) => {
    const request = http.request(`${origin}/a`, { method: 'POST' }, hear);
    request.write('one ', () => request.write(Buffer.from('two '), 'utf8', () => request.end('three')));
    return request;
  },
  'an end that is heard of': (origin, hear) => {
    const request = http.request(`${origin}/a`, { method: 'PUT', headers: { 'content-length': 2 } }, hear);
    request.flushHeaders();
    return request.end('ab', () => request.emit('heard'));
  },
};

describe('a request tells of itself as a bare one does, recorded and replayed', () => {
  test.each(Object.keys(FORMS))('%s', async (name) => {
    const make = FORMS[name] ?? (() => undefined);
    const agentOf = async (origin: string): Promise<readonly string[]> => [
      ...(await asked((hear) => make(origin, hear))),
      ...(await asked((hear) => make(origin, hear))),
    ];
    let bare: readonly string[] = [];
    const { live, replayed, report, requests } = await roundTrip(answer, agentOf, async (origin) => {
      bare = await agentOf(origin);
    });
    expect({ recorded: live }).toEqual({ recorded: bare });
    expect({ replayed }).toEqual({ replayed: bare });
    expect([report.divergence, requests]).toEqual([null, 0]);
  });
});

describe.concurrent('a server at another kind of address', () => {
  test.each<[string, (folder: string) => string | [number, string]]>([
    ['a socket of the file system', (folder) => join(folder, 'server.sock')],
    ['IPv6', () => [0, '::1']],
  ])('is recorded and replayed: %s', async (_name, placeIn) => {
    const folder = mkdtempSync(join(tmpdir(), 'stepfork-places-'));
    const server = http.createServer((_request, response) => response.end('there'));
    const place = placeIn(folder);
    await new Promise<void>((resolve) => {
      if (typeof place === 'string') server.listen(place, resolve);
      else server.listen(...place, resolve);
    });
    const to =
      typeof place === 'string' ? { socketPath: place } : { host: '::1', port: (server.address() as AddressInfo).port };
    const ask = (): Promise<readonly string[]> => asked((hear) => http.get(to, hear));
    const live = await record('asking', { output: join(folder, 'run.sftrace') }, ask);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    let replayed: readonly string[] = [];
    const report = await replay(join(folder, 'run.sftrace'), async () => {
      replayed = await ask();
    });
    rmSync(folder, { recursive: true });
    expect(live).toContain('data there');
    expect([replayed, report.divergence]).toEqual([live, null]);
  });
});

describe('a request that a replay lets through', () => {
  test('is made, and answered by the server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stepfork-through-'));
    let served = 0;
    const server = http.createServer(async (request, response) => {
      let body = '';
      for await (const bytes of request) body += String(bytes);
      response.end(`${body}${served++}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ask = (): Promise<readonly string[]> =>
      asked((hear) => http.request({ port, host: '127.0.0.1', method: 'POST' }, hear).end('body '));
    const output = join(folder, 'run.sftrace');
    const live = await record('asking', { output }, ask);
    let replayed: readonly string[] = [];
    const report = await replay(
      output,
      async () => {
        replayed = await ask();
      },
      { mode: 'live', allowLiveTools: ['http:127.0.0.1'] },
    );
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
    expect(live).toContain('data body 0');
    expect(replayed).toEqual(live.map((line) => (line === 'data body 0' ? 'data body 1' : line)));
    expect([served, report.facets.execution]).toEqual([2, 'completed']);
  });
});
