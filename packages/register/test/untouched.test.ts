import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { record } from '@stepfork/recorder';
import { replay } from '@stepfork/replay';
import { loadTrace } from '@stepfork/trace-format';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installHttp } from '../src/http-client.js';

let folder: string;
let server: Server;
let uninstall: () => void;
let connections = 0;
let port = 0;
const held = new Set<Socket>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork-untouched-'));
  connections = 0;
  server = http.createServer(answer);
  server.on('connection', (socket: Socket) => {
    connections++;
    held.add(socket);
    socket.on('close', () => held.delete(socket)).on('error', () => {});
  });
  server.on('connect', (request, socket) => {
    const through = connect(Number(new URL(`http://${request.url}`).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const end of [through, socket]) end.on('error', () => {});
  });
  server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  uninstall?.();
  stop();
  rmSync(folder, { recursive: true });
});

function stop(): void {
  server.close();
  for (const socket of held) socket.destroy();
}

/** Each program connects anew: a connection of Node's own agent would be one that is gone. */
const agent = false;

const LARGE = 3 * 1024 * 1024;

function answer(request: IncomingMessage, response: http.ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://here');
  if (pathname === '/echo') {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    request.pipe(response);
    return;
  }
  let body = '';
  request.on('data', (data: Buffer) => {
    body += String(data);
  });
  request.on('end', () => {
    if (pathname === '/large') response.end(Buffer.alloc(LARGE, 'a'));
    else if (pathname === '/slow') {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      let count = 0;
      const timer = setInterval(() => {
        if (count++ < 5) return response.write(`${count};`);
        clearInterval(timer);
        return response.end();
      }, 60);
    } else if (pathname === '/reset') response.writeHead(205, { 'content-length': 3 }).end('abc');
    else setTimeout(() => response.end(`${request.method} ${request.url} ${body}`), 20);
  });
}

const options = (path: string, more: http.RequestOptions = {}): http.RequestOptions => ({
  ...{ host: '127.0.0.1', port, path, agent },
  ...more,
});

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response) text += String(piece);
  return text;
}

async function ask(path: string, more: http.RequestOptions = {}, body?: string): Promise<string> {
  const request = http.request(options(path, more)).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return textOf(response);
}

/** What a program comes to bare, and recorded. */
async function both<T>(program: () => Promise<T>): Promise<readonly [T, T]> {
  const bare = await program();
  connections = 0;
  uninstall = installHttp({ http: true });
  return [bare, await record('asking', { output: join(folder, 'run.sftrace') }, program)];
}

async function expectReplay(program: () => Promise<unknown>, live: unknown): Promise<void> {
  stop();
  let replayed: unknown;
  const report = await replay(join(folder, 'run.sftrace'), async () => {
    replayed = await program();
  });
  expect([report.divergence, replayed]).toEqual([null, live]);
}

describe('a recorded program that asks by node:http', () => {
  test('is given a large answer whole, however slowly it reads', async () => {
    const program = async (): Promise<number> => {
      const [response] = (await once(http.get(options('/large')), 'response')) as [IncomingMessage];
      let bytes = 0;
      const slow = new Writable({
        highWaterMark: 1024,
        write(piece: Buffer, _encoding, done) {
          bytes += piece.length;
          setTimeout(done, 1);
        },
      });
      await pipeline(response, slow);
      return bytes;
    };
    expect(await both(program)).toEqual([LARGE, LARGE]);
    await expectReplay(program, LARGE);
  });

  test('has the connections of its agent, and uses them again', async () => {
    const program = async (): Promise<readonly unknown[]> => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
      const before = connections;
      const texts = await Promise.all(Array.from({ length: 6 }, (_, n) => ask(`/${n}`, { agent })));
      for (let n = 0; n < 3; n++) texts.push(await ask(`/again/${n}`, { agent }));
      const made = connections - before;
      agent.destroy();
      return [...texts, made];
    };
    const [bare, recorded] = await both(program);
    expect(recorded).toEqual(bare);
    expect(bare.at(-1)).toBe(2);
  });

  test('is told that it takes long where nothing comes, not where something does', async () => {
    const program = async (): Promise<readonly string[]> => {
      const request = http.get(options('/slow', { timeout: 200 }));
      const told: string[] = [];
      request.on('timeout', () => told.push('timeout'));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return [...told, await textOf(response)];
    };
    const [bare, recorded] = await both(program);
    expect([bare, recorded]).toEqual([['1;2;3;4;5;'], ['1;2;3;4;5;']]);
    await expectReplay(program, bare);
  });

  test('goes on writing by what it is answered', async () => {
    const program = async (): Promise<readonly string[]> => {
      const request = http.request(options('/echo', { method: 'POST' }));
      request.write('one');
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const said: string[] = [];
      response.on('data', (piece: Buffer) => {
        said.push(String(piece));
        if (said.length === 1) request.end('two');
      });
      await once(response, 'end');
      return said;
    };
    expect(await both(program)).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
  });

  test('makes tunnels, and changes to other protocols', async () => {
    const program = async (): Promise<readonly unknown[]> => {
      const tunnel = http.request(options(`127.0.0.1:${port}`, { method: 'CONNECT' })).end();
      const [{ statusCode }, socket] = (await once(tunnel, 'connect')) as [IncomingMessage, Socket];
      socket.destroy();
      const headers = { connection: 'upgrade', upgrade: 'echo' };
      const [upgraded, other] = (await once(http.get(options('/', { headers })), 'upgrade')) as [
        IncomingMessage,
        Socket,
      ];
      other.write('hi');
      const [said] = (await once(other, 'data')) as [Buffer];
      other.destroy();
      return [statusCode, upgraded.statusCode, String(said)];
    };
    const [bare, recorded] = await both(program);
    expect([bare, recorded]).toEqual([
      [200, 101, 'hi'],
      [200, 101, 'hi'],
    ]);
    expect(loadTrace(join(folder, 'run.sftrace')).events.filter(({ type }) => type === 'tool_call')).toEqual([]);
  });

  test('asks a proxy for a whole address, which is what is recorded', async () => {
    const program = (): Promise<string> => ask('http://far.example/where');
    const [bare, recorded] = await both(program);
    expect([bare, recorded]).toEqual(['GET http://far.example/where ', 'GET http://far.example/where ']);
    const call = loadTrace(join(folder, 'run.sftrace')).events.find(({ type }) => type === 'tool_call');
    expect(call).toMatchObject({ name: 'http:far.example', input: { method: 'GET', path: '/where' } });
    await expectReplay(program, recorded);
  });

  test('is told of an error once, and once again on replay', async () => {
    const program = async (): Promise<readonly string[]> => {
      const told: string[] = [];
      await new Promise<void>((resolve) => {
        const request = http.get(options('/slow'), (response) => {
          response.once('data', () => response.destroy(new Error('enough')));
          response.on('error', () => {});
          response.on('close', () => setTimeout(resolve, 20));
        });
        request.on('error', (error) => told.push(error.message));
      });
      return told;
    };
    const [bare, recorded] = await both(program);
    expect(recorded).toEqual(bare);
    await expectReplay(program, bare);
  });

  test('is given a body that should not be there', async () => {
    const [bare, recorded] = await both(() => ask('/reset'));
    expect(recorded).toBe(bare);
  });

  test('asks by a body also where it gets', async () => {
    const search = (what: string) => (): Promise<string> =>
      ask(
        '/search',
        { headers: { 'content-type': 'application/json', 'content-length': 12 } },
        JSON.stringify({ what }),
      );
    const [bare, recorded] = await both(search('a'));
    expect([bare, recorded]).toEqual(['GET /search {"what":"a"}', 'GET /search {"what":"a"}']);
    stop();
    const output = join(folder, 'run.sftrace');
    expect((await replay(output, search('b'))).divergence?.differences.map(({ path }) => path)).toEqual(['body.what']);
    expect((await replay(output, search('a'))).verdict).toBe('matched');
  });
});
