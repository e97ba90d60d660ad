import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import got from 'got';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installHttp } from '../../src/http-client.js';
import { type Answer, roundTrip } from '../support/round-trip.js';

let uninstall: () => void;
beforeAll(() => {
  uninstall = installHttp({ http: true });
});
afterAll(() => uninstall());

const answer: Answer = async ({ url }, response) => {
  if (url !== '/next') await sleep(1_500);
  response.end('there');
};

type Error = globalThis.Error & { readonly code?: string };

function told({ name, code, message }: Error): string {
  return `${name} ${code} ${message}`.replace(/\d+ms/, 'some ms');
}

/** What it comes to, by a time after which its program gives it up. */
type Ask = (url: string, ms: number) => Promise<string>;

function asked(url: string, begin: (request: http.ClientRequest) => void, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const request = http.get(url, { signal }, (response) => resolve(String(response.statusCode)));
    request.on('error', (error) => resolve(told(error)));
    begin(request);
  });
}

const ASKS: readonly (readonly [string, Ask])[] = [
  ['a timer', (url, ms) => asked(url, (request) => void setTimeout(() => request.destroy(new Error('too slow')), ms))],
  ['a timer that aborts', (url, ms) => asked(url, (request) => void setTimeout(() => request.abort(), ms))],
  [
    'a timer of its connection',
    (url, ms) => asked(url, (request) => request.setTimeout(ms, () => request.destroy(new Error('too slow')))),
  ],
  [
    'a timer that ends its connection',
    (url, ms) => asked(url, (request) => void setTimeout(() => request.socket?.destroy(), ms)),
  ],
  ['AbortSignal.timeout', (url, ms) => asked(url, () => {}, AbortSignal.timeout(ms))],
  ['axios', async (url, timeout) => axios.get<string>(url, { timeout }).then(({ status }) => String(status), told)],
  [
    'axios, by a signal',
    async (url, ms) =>
      axios.get<string>(url, { signal: AbortSignal.timeout(ms) }).then(({ status }) => String(status), told),
  ],
  [
    'got',
    async (url, ms) =>
      got(url, { timeout: { request: ms }, retry: { limit: 0 } }).then(({ statusCode }) => String(statusCode), told),
  ],
];

async function withNext(ask: Ask, origin: string, ms: number): Promise<readonly string[]> {
  return [await ask(`${origin}/slow`, ms), await asked(`${origin}/next`, () => {})];
}

describe.concurrent('a request that its program gives up by a timer', () => {
  test.each(ASKS)('is given up by that on replay, too: %s', async (_name, ask) => {
    const { live, replayed, report, trace, requests } = await roundTrip(answer, (origin) => withNext(ask, origin, 150));
    expect(live).toEqual([expect.stringMatching(/too slow|hang up|abort|timeout|cancel|some ms/i), '200']);
    expect([replayed, report.divergence, report.facets.execution, requests]).toEqual([live, null, 'completed', 0]);
    expect(trace.runtime.filter(({ type }) => type === 'aborted')).toHaveLength(1);
  });

  test.each(ASKS)('is refused where the program waits longer: %s', async (_name, ask) => {
    let ms = 100;
    const { live, replayed, report } = await roundTrip(answer, async (origin) => {
      const came = await ask(`${origin}/slow`, ms);
      ms = 60_000;
      return came;
    });
    expect(report.divergence).toMatchObject({ code: 'unservable', message: expect.stringContaining('aborted') });
    expect(replayed).toMatch(/403/);
    expect(replayed).not.toBe(live);
  });

  test('asks for something else meanwhile', async () => {
    const { live, replayed, report, requests } = await roundTrip(answer, async (origin) => {
      const seen: string[] = [];
      const slow = asked(`${origin}/slow`, (request) => {
        request.setTimeout(200, async () => {
          seen.push(await asked(`${origin}/next`, () => {}));
        });
      });
      return [await slow, ...seen];
    });
    expect(live).toEqual(['200', '200']);
    expect([replayed, report.divergence, requests]).toEqual([live, null, 0]);
  });
});
