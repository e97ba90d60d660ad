import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { Writable } from 'node:stream';
import * as undici from 'undici';
import { answer, tlsClient, type World, WsClient } from '../world.js';
import { came, host, secure, to, type WayOutCase, web } from './way-out-case.js';

// Taken before anything is patched, as an agent in CommonJS takes them.
const { request: takenRequest } = http;
const { fetch: takenFetch } = globalThis;

export const requests: readonly WayOutCase[] = [
  {
    name: 'http.get',
    attempt: ({ ports }) => answer(http.get({ port: ports.web, host, agent: false })),
    what: to('connect', web),
  },
  {
    name: 'http.request that was taken before, with a body',
    attempt: ({ ports }) =>
      answer(takenRequest({ port: ports.web, host, method: 'POST', agent: new http.Agent() }).end('x')),
    what: to('connect', web),
  },
  {
    name: 'http over a connection that is kept alive',
    attempt: ({ ports, before }) => answer(http.get({ port: ports.web, host, agent: before.agent })),
    what: to('request', web),
  },
  {
    name: 'https over a connection that is kept alive',
    attempt: ({ ports, before }) =>
      answer(https.get({ port: ports.secure, host, agent: before.secureAgent, ...tlsClient })),
    what: to('request', secure),
  },
  {
    name: 'https.get',
    attempt: ({ ports }) => answer(https.get({ port: ports.secure, host, agent: false, ...tlsClient })),
    what: to('connect', secure),
  },
  {
    name: 'http by a connection of its own',
    attempt: ({ ports }) =>
      answer(http.get({ port: ports.web, host, createConnection: () => net.connect(ports.web, host) })),
    what: to('connect', web),
  },
  {
    name: 'http over a socket in the file system',
    attempt: ({ path }) =>
      new Promise<void>((resolve, reject) => {
        const request = http.get({ socketPath: path, agent: false });
        request.on('error', reject).on('socket', (socket) => {
          socket.on('connect', () => {
            resolve();
            request.destroy();
          });
        });
      }),
    what: ({ path }) => `connect ${path}`,
  },
  {
    name: 'global fetch over a pooled connection',
    attempt: async ({ url }) => (await fetch(url)).text(),
    what: to('request', web),
  },
  {
    name: 'global fetch over a new connection',
    attempt: async ({ url }) => (await fetch(url.replace(host, 'localhost'))).text(),
    what: ({ ports }) => `request localhost:${ports.web}`,
  },
  {
    name: 'global fetch with a body',
    attempt: async ({ url }) => (await fetch(url, { method: 'POST', body: 'x' })).text(),
    what: to('request', web),
  },
  {
    name: 'global fetch with a Request',
    attempt: async ({ url }) => (await fetch(new Request(url))).text(),
    what: to('request', web),
  },
  {
    name: 'fetch that was taken before',
    attempt: async ({ url }) => (await takenFetch(url)).text(),
    what: to('request', web),
  },
  {
    name: 'undici.request',
    attempt: async ({ url }) => (await undici.request(url)).body.text(),
    what: to('request', web),
  },
  {
    name: 'undici.fetch',
    attempt: async ({ url }) => (await undici.fetch(url)).text(),
    what: to('request', web),
  },
  {
    name: "an undici pool's connection",
    attempt: async ({ before }) => (await before.pool.request({ path: '/', method: 'GET' })).body.text(),
    what: to('request', web),
  },
  {
    name: 'undici.stream',
    attempt: ({ url }) =>
      undici.stream(url, { method: 'GET' }, () => new Writable({ write: (_chunk, _encoding, done) => done() })),
    what: to('request', web),
  },
  {
    name: "a new undici client's dispatch",
    attempt: async (world) => {
      const client = new undici.Client(`http://${web(world)}`);
      try {
        await (await client.request({ path: '/', method: 'GET' })).body.text();
      } finally {
        await client.destroy();
      }
    },
    what: to('request', web),
  },
  {
    name: "undici's WebSocket",
    attempt: async ({ url }) => {
      const socket = new undici.WebSocket(url.replace('http', 'ws'));
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve);
        socket.addEventListener('error', reject);
      });
      socket.close();
    },
    what: to('request', web),
    vague: true,
  },
  {
    name: "undici's EventSource",
    attempt: async ({ url }) => {
      const source = new undici.EventSource(url);
      await new Promise((resolve, reject) => {
        source.addEventListener('message', resolve);
        source.addEventListener('error', reject);
      }).finally(() => source.close());
    },
    what: to('request', web),
    vague: true,
  },
  {
    name: 'ws',
    attempt: async ({ url }) => {
      const socket = new WsClient(url.replace('http', 'ws'));
      await came(socket, 'open');
      socket.close();
    },
    what: to('connect', web),
  },
];

/** What only some releases of Node have. */
export const recent: readonly WayOutCase[] = [
  ...('WebSocket' in globalThis
    ? [
        {
          name: 'global WebSocket',
          attempt: async ({ url }: World) => {
            const socket = new (globalThis as unknown as { WebSocket: typeof undici.WebSocket }).WebSocket(
              url.replace('http', 'ws'),
            );
            await new Promise((resolve, reject) => {
              socket.addEventListener('open', resolve);
              socket.addEventListener('error', reject);
            });
            socket.close();
          },
          what: to('request', web),
          vague: true as const,
        },
      ]
    : []),
];
