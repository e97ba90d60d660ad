import http2 from 'node:http2';
import net from 'node:net';
import tls from 'node:tls';
import { tlsClient } from '../world.js';
import { came, connected, h2, h2Answer, host, raw, secure, to, type WayOutCase } from './way-out-case.js';

// Taken before anything is patched, as an agent in CommonJS takes them.
const { connect: takenConnect } = net;

export const connections: readonly WayOutCase[] = [
  {
    name: 'net.connect by port',
    attempt: ({ ports }) => connected(net.connect(ports.raw, host)),
    what: to('connect', raw),
  },
  {
    name: 'net.connect with options',
    attempt: ({ ports }) => connected(net.connect({ port: ports.raw, host })),
    what: to('connect', raw),
  },
  {
    name: 'net.createConnection by a name',
    attempt: ({ ports }) => connected(net.createConnection({ port: ports.raw, host: 'localhost', family: 4 })),
    what: ({ ports }) => `connect localhost:${ports.raw}`,
  },
  {
    name: 'a socket of its own',
    attempt: ({ ports }) => connected(new net.Socket().connect(ports.raw, host)),
    what: to('connect', raw),
  },
  {
    name: 'net.connect that was taken before',
    attempt: ({ ports }) => connected(takenConnect({ port: ports.raw, host })),
    what: to('connect', raw),
  },
  {
    name: 'a socket that writes before it is connected',
    attempt: async ({ ports }) => {
      const socket = net.connect(ports.raw, host);
      socket.write('x');
      await came(socket, 'data');
      socket.destroy();
    },
    what: to('connect', raw),
  },
  {
    name: 'a socket in the file system',
    attempt: ({ path }) => connected(net.connect(path)),
    what: ({ path }) => `connect ${path}`,
  },
  {
    name: 'a socket in the file system, with options',
    attempt: ({ path }) => connected(net.connect({ path })),
    what: ({ path }) => `connect ${path}`,
  },
  {
    name: 'tls.connect',
    attempt: ({ ports }) => connected(tls.connect({ port: ports.secure, host, ...tlsClient }), 'secureConnect'),
    what: to('connect', secure),
  },
  {
    name: 'http2.connect',
    attempt: async (world) => {
      const session = http2.connect(`http://${h2(world)}`);
      try {
        await came(session, 'connect');
      } finally {
        session.destroy();
      }
    },
    what: to('connect', h2),
  },
  {
    name: 'http2.connect with a request at once',
    attempt: async (world) => {
      const session = http2.connect(`http://${h2(world)}`);
      session.on('error', () => {});
      try {
        await h2Answer(session);
      } finally {
        session.destroy();
      }
    },
    what: to('connect', h2),
  },
];
