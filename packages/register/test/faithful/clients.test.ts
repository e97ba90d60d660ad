import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installHttp } from '../../src/http-client.js';
import { CLIENTS, type Seen } from '../support/http-clients.js';
import { type Answer, roundTrip } from '../support/round-trip.js';

let uninstall: () => void;
beforeAll(() => {
  uninstall = installHttp({ http: true });
});
afterAll(() => uninstall());

const JSON_TYPE = { 'content-type': 'application/json' };
const document = JSON.stringify({ said: 'grüße', of: ['a', 'b'] });

async function writeAll(response: ServerResponse, pieces: readonly (string | Buffer)[], gapMs = 15): Promise<void> {
  for (const piece of pieces) {
    response.write(piece);
    await setTimeout(gapMs);
  }
}

/** What a server does, by the path that it is asked for. */
const STORIES: Readonly<Record<string, Answer>> = {
  'a document': (_request, response) => response.writeHead(200, { ...JSON_TYPE, 'x-page': '3' }).end(document),
  'a text that is long': (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('a'.repeat(100_000)),
  'a packed document': (_request, response) =>
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(document)),
  'bytes of a known length': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': 4 })
      .end(Buffer.from([0, 255, 7, 128])),
  'events, one by one': async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await writeAll(response, ['data: 1\n\n', 'data: grü', 'ße\n\n', 'data: [DONE]\n\n']);
    response.end();
  },
  'a document that comes late': async (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    await writeAll(response, [document.slice(0, 7), document.slice(7)], 260);
    response.end();
  },
  'no body': (_request, response) => response.writeHead(204).end(),
  'an error': (_request, response) => response.writeHead(404, JSON_TYPE).end('{"error":"none"}'),
  'an error that is no document': (_request, response) =>
    response.writeHead(502, { 'content-type': 'application/octet-stream' }).end('bad'),
  'events that break off': async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await writeAll(response, ['data: 1\n\n', 'data: 2\n\n']);
    response.destroy();
  },
  'a document that breaks off': async (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    await writeAll(response, [document.slice(0, 7)]);
    response.destroy();
  },
  'a length that is too long': async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 100 });
    await writeAll(response, ['short']);
    response.socket?.end();
  },
  'no answer': (_request, response) => response.destroy(),
};

/** Ones that go on elsewhere. */
const REDIRECTS: readonly [number, string, string][] = [
  [301, 'GET', '/there'],
  [302, 'POST', 'there?by=relative'],
  [303, 'POST', '/there'],
  [307, 'POST', '/there'],
  [308, 'PUT', '/there'],
];

/** What comes at once is one piece on replay, however the network cut it. */
const AT_ONCE = ['a text that is long', 'a document that comes late'];

function joined(seen: Seen): Seen {
  const all: string[] = [];
  for (const line of seen) {
    const [, piece] = IS_PIECE.exec(line) ?? [];
    const [before] = IS_PIECE.exec(all.at(-1) ?? '') ?? [];
    if (piece === undefined || before === undefined) all.push(line);
    else all.push(`${String(all.pop()).slice(0, -1)}${piece}"`);
  }
  return all;
}
const IS_PIECE = /^(?:data )?"(.*)"$/s;

describe.concurrent.each(Object.entries(CLIENTS))('a program sees on replay what it saw live, by %s', (name, ask) => {
  test.each(Object.entries(STORIES))('%s', async (story, answer) => {
    const { live, replayed, report, requests } = await roundTrip(answer, async (origin) => [
      ...(await ask(`${origin}/here`)),
      ...(await ask(`${origin}/here`, { method: 'POST', body: '{"n":1}' })),
    ]);
    const view = (seen: Seen): Seen => (AT_ONCE.includes(story) ? joined(seen) : seen);
    expect(view(replayed)).toEqual(view(live));
    expect([report.divergence, requests]).toEqual([null, 0]);
  });

  test.each(REDIRECTS)(
    'a redirect by %i of a %s to %s, whose body comes after the program went on',
    async (status, method, location) => {
      let follow: () => void = () => {};
      const followed = new Promise<void>((resolve) => {
        follow = resolve;
      });
      const { live, replayed, report, requests } = await roundTrip(
        async ({ url, method: by }, response, body) => {
          if (url !== '/here') {
            follow();
            return response.writeHead(200, { 'content-type': 'text/plain' }).end(`${by} ${url} ${body}`);
          }
          response.writeHead(status, { location, 'content-type': 'text/html' }).write('<p>');
          await Promise.race([followed, setTimeout(600)]);
          return response.end('moved');
        },
        (origin) => ask(`${origin}/here`, { method, ...(method === 'GET' ? {} : { body: '{"n":1}' }) }),
      );
      if (name !== 'node:http') expect(live.join()).toMatch(/(GET|POST|PUT) \/there/);
      expect(joined(replayed)).toEqual(joined(live));
      expect([report.divergence, requests]).toEqual([null, 0]);
    },
  );
});
