import { once } from 'node:events';
import type net from 'node:net';
import { pipeline, Readable, Writable } from 'node:stream';
import tls from 'node:tls';
import { tlsClient, type World } from '../world.js';
import { connected, given, h2, h2Answer, named, raw, secure, to, type WayOutCase, web } from './way-out-case.js';

/** A client's own socket gets back what it sends. */
async function echoed(socket: net.Socket, send: () => unknown): Promise<void> {
  const back = once(socket, 'data');
  send();
  await back;
}

export const openBefore: readonly WayOutCase[] = [
  {
    name: "a database's open socket",
    attempt: ({ before: { socket } }) => echoed(socket, () => socket.write('SELECT 1')),
    what: to('write', raw),
  },
  {
    name: 'an open socket, with a callback',
    attempt: ({ before: { socket } }) => echoed(socket, () => socket.write('SELECT 1', () => {})),
    what: to('write', raw),
  },
  {
    name: 'an open socket that is corked',
    attempt: ({ before: { socket } }) =>
      echoed(socket, () => {
        socket.cork();
        socket.write('SELECT 1');
        socket.uncork();
      }),
    what: to('write', raw),
  },
  {
    name: 'ending an open socket',
    attempt: (world) => given((done) => endOf(world).end('QUIT', done as () => void)),
    what: to('write', raw),
  },
  {
    name: "an open socket, by its class's own write",
    attempt: (world) => given((done) => Writable.prototype.write.call(endOf(world), 'SELECT 1', 'utf8', done)),
    what: to('write', raw),
  },
  {
    name: 'an open socket, by a pipeline',
    attempt: (world) => given((done) => pipeline(Readable.from(['SELECT 1']), endOf(world), done)),
    what: to('write', raw),
    placeless: true,
  },
  {
    name: 'an open socket in the file system',
    attempt: ({ before: { pipe } }) => echoed(pipe, () => pipe.write('SELECT 1')),
    what: named('write a pipe'),
  },
  {
    name: 'TLS begun on an open socket',
    attempt: (world) => connected(tls.connect({ socket: secureEndOf(world), ...tlsClient }), 'secureConnect'),
    what: to('handshake', secure),
  },
  {
    name: 'an open http2 session',
    attempt: ({ before: { session } }) => h2Answer(session),
    what: to('request', h2),
  },
  {
    name: 'a ping on an open http2 session',
    attempt: ({ before: { session } }) => given((done) => session.ping(done)),
    what: to('http2 ping', h2),
  },
  {
    name: 'settings on an open http2 session',
    attempt: ({ before: { session } }) => given((done) => session.settings({ enablePush: false }, done)),
    what: to('http2 settings', h2),
  },
  {
    name: 'an open http2 stream',
    attempt: ({ before: { stream } }) => given((done) => stream.write('x', done)),
    what: to('write', h2),
  },
  {
    name: 'an open request',
    attempt: ({ before: { request } }) => given((done) => request.write('x', done)),
    what: to('write', web),
  },
  {
    name: 'an open WebSocket',
    attempt: async ({ before: { ws } }) => {
      const back = new Promise((resolve) => ws.once('message', resolve));
      ws.send('x');
      await back;
    },
    what: to('write', web),
  },
  {
    name: "an open WebSocket's ping",
    attempt: async ({ before: { ws } }) => {
      const back = new Promise((resolve) => ws.once('pong', resolve));
      ws.ping();
      await back;
    },
    what: to('write', web),
  },
  {
    name: 'the input of a process that runs already',
    attempt: async ({ before: { child } }) => {
      const back = once(child.stdout as Readable, 'data');
      child.stdin?.write('x');
      await back;
    },
    what: named('write a pipe'),
    unseen: true,
  },
];

/** An open socket that may be used up: a new one each time. */
function endOf(world: World): net.Socket {
  const socket = world.spare.raw.pop();
  if (socket === undefined) throw new Error('no spare socket is left');
  return socket;
}

function secureEndOf(world: World): net.Socket {
  const socket = world.spare.secure.pop();
  if (socket === undefined) throw new Error('no spare socket is left');
  return socket;
}
