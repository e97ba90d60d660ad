import { type ChildProcess, spawn } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { createRequire } from 'node:module';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Pool } from 'undici';

/** A client or a server of package ws, as far as it is used. */
export interface Ws {
  readonly on: (event: string, listener: (...args: unknown[]) => void) => Ws;
  readonly once: (event: string, listener: (...args: unknown[]) => void) => Ws;
  readonly send: (data: string) => void;
  readonly ping: () => void;
  readonly close: () => void;
}
export const { WebSocket: WsClient, WebSocketServer } = createRequire(import.meta.url)('ws') as {
  readonly WebSocket: new (url: string) => Ws;
  readonly WebSocketServer: new (options: { server: http.Server }) => Ws;
};

/** TLS by a shared key: no certificate that could expire. */
const KEY = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
export const tlsClient = {
  ciphers: 'PSK',
  maxVersion: 'TLSv1.2' as const,
  rejectUnauthorized: false,
  pskCallback: () => ({ psk: KEY, identity: 'client' }),
};
const tlsServer = {
  ciphers: 'PSK',
  maxVersion: 'TLSv1.2' as const,
  pskIdentityHint: 'server',
  pskCallback: (): Buffer => KEY,
};

/** Servers on loopback that count all that reaches them, and clients that are connected to them already. */
export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-guard-'));
  const marks = join(folder, 'marks');
  writeFileSync(marks, '');
  const program = join(folder, 'mark.sh');
  writeFileSync(program, `#!/bin/sh\necho x >> '${marks}'\n`);
  chmodSync(program, 0o700);
  const script = join(folder, 'mark.cjs');
  writeFileSync(script, `require('node:fs').appendFileSync(${JSON.stringify(marks)}, 'x');`);

  let seen = 0;
  const count = (): void => {
    seen++;
  };
  const counted = <S extends net.Server>(server: S): S =>
    server.on('connection', (socket: net.Socket) => {
      count();
      socket.on('data', count).on('error', () => {});
    });
  const raw = counted(net.createServer((socket) => socket.on('data', () => socket.write('ok'))));
  const web = counted(
    http.createServer((request, response) => {
      response.setHeader('content-type', 'text/event-stream');
      request.resume().on('end', () => response.end('data: x\n\n'));
    }),
  );
  new WebSocketServer({ server: web }).on('connection', (client) =>
    (client as Ws).on('message', () => (client as Ws).send('ok')).on('error', () => {}),
  );
  const secure = https.createServer(tlsServer, (_request, response) => response.end('ok'));
  const h2 = http2.createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  // What these two are sent is read below what JavaScript sees: it is counted on its way.
  const counting = (server: net.Server): net.Server =>
    counted(
      net.createServer((socket) => {
        const back = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
        back.on('error', () => socket.destroy());
        socket.pipe(back).pipe(socket);
      }),
    );
  const secureFront = counting(secure);
  const h2Front = counting(h2);
  const unix = counted(net.createServer((socket) => socket.on('data', () => socket.write('ok'))));
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\stepfork-${process.pid}` : join(folder, 'socket');
  for (const server of [raw, web, secure, secureFront, h2, h2Front]) server.listen(0, '127.0.0.1');
  unix.listen(path);
  await Promise.all([raw, web, secure, secureFront, h2, h2Front, unix].map((server) => once(server, 'listening')));

  const udp = dgram.createSocket('udp4');
  udp.on('message', (message, from) => {
    count();
    // A question for a name is told that there is none; anything else comes back.
    const answer = Buffer.from(message);
    if (answer.length > 12) answer.writeUInt16BE(0x8183, 2);
    udp.send(answer, from.port, from.address);
  });
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  const portOf = (server: net.Server): number => (server.address() as AddressInfo).port;
  const ports = {
    raw: portOf(raw),
    web: portOf(web),
    secure: portOf(secureFront),
    h2: portOf(h2Front),
    udp: udp.address().port,
  };
  const url = `http://127.0.0.1:${ports.web}/`;

  const servers = dns.getServers();
  dns.setServers([`127.0.0.1:${ports.udp}`]);
  dns.promises.setServers([`127.0.0.1:${ports.udp}`]);

  const { resolve4, reverse } = dns;
  const { resolveMx } = dns.promises;

  const opened: { close: () => void }[] = [];
  const closing = <T>(what: T, close: (what: T) => void): T => {
    opened.push({ close: () => close(what) });
    return what;
  };

  const openSocket = async (goal: net.NetConnectOpts): Promise<net.Socket> => {
    const socket = closing(net.connect(goal), (each) => each.destroy());
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
    return socket;
  };
  const agent = closing(new http.Agent({ keepAlive: true }), (each) => each.destroy());
  const secureAgent = closing(new https.Agent({ keepAlive: true }), (each) => each.destroy());
  const pool = closing(new Pool(`http://127.0.0.1:${ports.web}`, { connections: 1 }), (each) => void each.destroy());
  await fetch(url).then((response) => response.text());
  await pool.request({ path: '/', method: 'GET' }).then(({ body }) => body.text());
  await answer(http.get({ port: ports.web, host: '127.0.0.1', agent }));
  await answer(https.get({ port: ports.secure, host: '127.0.0.1', agent: secureAgent, ...tlsClient }));

  const session = closing(http2.connect(`http://127.0.0.1:${ports.h2}`), (each) => each.destroy());
  session.on('error', () => {});
  const stream = session.request({ ':method': 'POST' });
  stream.on('error', () => {});
  await once(stream, 'ready');
  const request = http.request({ port: ports.web, host: '127.0.0.1', method: 'POST', agent: false });
  request.on('error', () => {}).flushHeaders();
  await once((await once(request, 'socket'))[0] as net.Socket, 'connect');
  const ws = closing(new WsClient(`ws://127.0.0.1:${ports.web}`), (each) => each.close());
  await new Promise<void>((resolve) => ws.once('open', () => resolve()));
  const child: ChildProcess = closing(spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] }), (each) => each.kill());
  const datagrams = closing(dgram.createSocket('udp4'), (each) => each.close());
  const connected = closing(dgram.createSocket('udp4'), (each) => each.close());
  connected.connect(ports.udp, '127.0.0.1');
  await once(connected, 'connect');
  const before = {
    socket: await openSocket({ port: ports.raw, host: '127.0.0.1' }),
    pipe: await openSocket({ path }),
    agent,
    secureAgent,
    pool,
    session,
    stream,
    request,
    ws,
    child,
    datagrams,
    connected,
  };
  const opening = (port: number, count: number): Promise<net.Socket[]> =>
    Promise.all(Array.from({ length: count }, () => openSocket({ port, host: '127.0.0.1' })));
  /** Open sockets, to be used up. */
  const spare = { raw: await opening(ports.raw, 12), secure: await opening(ports.secure, 4) };

  /** Whatever had been sent before has arrived once this is over. */
  const settle = async (): Promise<void> => {
    const socket = await openSocket({ port: ports.raw, host: '127.0.0.1' });
    socket.write('x');
    await once(socket, 'data');
    socket.destroy();
    await once(socket, 'close');
  };
  await settle();
  await settle();

  return {
    path,
    ports,
    url,
    program,
    script,
    before,
    spare,
    openSocket,
    /** Taken before anything is patched; they ask our server for names. */
    taken: { resolve4, reverse, resolveMx },
    settle,
    /** All that reached a server, and all that was started. */
    seen: (): number => seen + readFileSync(marks, 'utf8').length,
    async close(): Promise<void> {
      for (const { close } of opened.reverse()) close();
      dns.setServers(servers);
      dns.promises.setServers(servers);
      udp.close();
      for (const server of [web, secure]) server.closeAllConnections();
      for (const server of [raw, web, secure, secureFront, h2, h2Front, unix]) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Comes once the whole response has. */
export function answer(request: http.ClientRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', (response) => response.on('end', resolve).resume());
  });
}
