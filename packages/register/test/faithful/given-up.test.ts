import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installHttp } from '../../src/http-client.js';
import { ACTS, givenUp, MOMENTS, type Moment } from '../support/given-up.js';
import { type Answer, roundTrip } from '../support/round-trip.js';

let uninstall: () => void;
beforeAll(() => {
  uninstall = installHttp({ http: true });
});
afterAll(() => uninstall());

const answer: Answer = ({ url }, response) => {
  if (url === '/endless') response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 0\n\n');
  // What comes with its head would be told of, whatever the program does at that.
  if (url === '/head') response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  if (url === '/short') response.end('short');
};

const CASES = MOMENTS.flatMap((moment) => Object.keys(ACTS).map((name): [string, Moment] => [name, moment]));

describe('a request that its program gives up tells of it as a bare one does', () => {
  test.each(CASES)('%s, %s', async (name, moment) => {
    const act = ACTS[name] ?? (() => {});
    let bare: readonly string[] = [];
    const { live, replayed, report, requests } = await roundTrip(
      answer,
      (origin) => givenUp(origin, act, moment),
      async (origin) => {
        bare = await givenUp(origin, act, moment);
      },
    );
    expect({ recorded: live }).toEqual({ recorded: bare });
    expect({ replayed }).toEqual({ replayed: bare });
    expect([report.divergence, report.facets.execution, requests]).toEqual([null, 'completed', 0]);
  });
});
