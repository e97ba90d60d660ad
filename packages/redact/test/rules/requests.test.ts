import type { Json } from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from '../../src/index.js';
import { assembled, chunked, piecesOf } from '../chunks/streams.js';

const SLACK = 'aB3dE5fG7hI9jK1lM3nO5pQ7';
const TELEGRAM = 'AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0';
const DISCORD = 'aB3_dE5-fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9dE1fG3hI5jK7lM9nO1pQ3rS5';
const TEAMS = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const GUID = '8c6f1b2a-0d3e-4f5a-9b7c-6d8e0f1a2b3c';
const LOGIC_APPS = 'Ab3-dE5_gH7iJ9kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD';

/** Host, path, and what of the path must go. */
const webhooks: readonly (readonly [string, string, string, string])[] = [
  ['Slack', 'https://hooks.slack.com', `/services/T024BE7LD/B8AB12CDE/${SLACK}`, SLACK],
  ['a Slack workflow', 'https://hooks.slack.com', `/workflows/T024BE7LD/A8AB12CDE/123456789012345678/${SLACK}`, SLACK],
  ['a Slack trigger', 'https://hooks.slack.com', `/triggers/T024BE7LD/1234567890123/${TEAMS}`, TEAMS],
  ['Telegram', 'https://api.telegram.org', `/bot110201543:${TELEGRAM}/sendMessage`, TELEGRAM],
  ['a file of Telegram', 'https://api.telegram.org', `/file/bot110201543:${TELEGRAM}/photos/a.jpg`, TELEGRAM],
  ['Discord', 'https://discord.com', `/api/webhooks/123456789012345678/${DISCORD}`, DISCORD],
  ['a version of Discord', 'https://discord.com', `/api/v10/webhooks/1234567890123456789/${DISCORD}/slack`, DISCORD],
  ['Teams', 'https://example.webhook.office.com', `/webhookb2/${GUID}@${GUID}/IncomingWebhook/${TEAMS}/${GUID}`, TEAMS],
  ['Office', 'https://outlook.office.com', `/webhook/${GUID}@${GUID}/IncomingWebhook/${TEAMS}/${GUID}`, TEAMS],
];

const carriers: readonly (readonly [string, (host: string, path: string) => Json])[] = [
  ['the path of a request', (_host, path) => ({ method: 'POST', path, body: { text: 'done' } })],
  ['a URL', (host, path) => host + path],
  ['running text', (host, path) => `posted to ${host}${path}, and went on`],
  ['a JSON body', (host, path) => ({ url: host + path, retries: 2 })],
  ['JSON text', (host, path) => JSON.stringify({ url: host + path })],
  ['JSON text with escaped slashes', (host, path) => JSON.stringify({ url: host + path }).replaceAll('/', '\\/')],
  ['a form body', (host, path) => String(new URLSearchParams({ page: '2', url: host + path }))],
];

describe('the webhook of', () => {
  describe.each(webhooks)('%s', (_name, host, path, secret) => {
    it.each(carriers)('loses its secret in %s', (_where, carry) => {
      const value = carry(host, path);
      const { value: redacted, findings } = createRedactor().redact(value);
      expect(findings).toHaveLength(1);
      const text = JSON.stringify(redacted);
      expect(text).not.toContain(secret);
      expect(createRedactor().redact(redacted)).toEqual({ value: redacted, findings: [] });
      expect(createRedactor({ ruleset: '0.1' }).redact(value).findings).toEqual([]);
    });

    it.each([1, 3, 7, 40])('is the same in chunks of %i', (size) => {
      for (const text of [path, `to ${host}${path} and on`]) {
        const out = assembled(chunked(createRedactor(), piecesOf(text, size)));
        expect(out).toBe(createRedactor().redact(text).value);
      }
    });
  });

  it.each([
    '/services/TEAMWORK1/BUILDING2/aB3dE5f',
    '/services/teams/billing/aB3dE5fG7hI9jK1lM3nO5pQ7',
    '/services/T024BE7LD/B8AB12CDE',
    '/api/services/TRANSLATE/v2/translations',
    '/services/TEMPLATES/internationalizationservice',
    '/workflows/deploy.yml/runs/1234567890',
    '/bot/110201543/sendMessage',
    '/bot12:aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1v',
    '/robots/110201543',
    `/robot110201543:${TELEGRAM}x`,
    'at 110201543:all of it',
    `110201543:${TELEGRAM}${TELEGRAM}`,
    '/api/webhooks/123456789012345678',
    '/api/webhooks/123456789012345678/messages/123456789012345678',
    `/repos/a/b/webhooks/17/deliveries/${DISCORD}`,
    'import { useThing } from "../hooks/use-thing.js"',
    '/api/IncomingWebhook/create',
    `/webhookb2/${GUID}@${GUID}/IncomingWebhook/status`,
    `/v1/documents/${TEAMS}/${GUID}`,
  ])('none is %s', (path) => {
    expect(createRedactor().redact({ method: 'GET', path }).findings).toEqual([]);
    expect(createRedactor().redact(`see https://x.example${path}`).findings).toEqual([]);
  });
});

it('the signature of a trigger of Logic Apps goes', () => {
  const path = '/workflows/0f1e2d3c/triggers/manual/paths/invoke?api-version=2016-10-01&sp=%2Ftriggers%2Fmanual%2Frun';
  for (const host of ['', 'https://prod-01.example.logic.azure.com']) {
    const url = `${host}${path}&sv=1.0&sig=`;
    expect(createRedactor().redact(url + LOGIC_APPS).value).toBe(`${url}[REDACTED]`);
  }
});

const HEX = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const FUNCTION_KEY = 'aB3-dE5_gH7iJ9kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD9eF1gH3iJ==';

const secrets: readonly (readonly [string, string])[] = [
  ['auth', HEX],
  ['appid', HEX],
  ['app_key', 'tango'],
  ['appkey', 'tango'],
  ['jwt', 'tango'],
  ['session_id', GUID],
  ['sessionid', 'aB3dE5fG7hI9jK1l'],
  ['sid', `s:${SLACK}.x`],
  ['sas', 'tango'],
  ['hmac', 'tango'],
  ['code', FUNCTION_KEY],
  ['key', 'AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q'],
  ['sig', LOGIC_APPS],
  ['signature', `${HEX}${HEX}`.toUpperCase()],
];

const ordinary: readonly (readonly [string, string])[] = [
  ['auth', 'basic'],
  ['appid', '730'],
  ['code', 'SAVE10'],
  ['code', 'SUMMERSALE2024NOW'],
  ['key', 'orders'],
  ['key', 'users'],
  ['key', 'reports-2024-09-30-annual-summary-eu-west-1'],
  ['key', 'uploads/2024/annual_report_v12.pdf'],
  ['key', 'customer1234567890'],
  ['key', 'getCustomerOrdersByRegion2024'],
  ['sid', '7'],
  ['sid', '1234567890123456789012'],
  ['session_id', '20240930T123456Z'],
  ['sig', 'v1'],
  ['signature', 'required'],
  ['keys', HEX],
  ['zip_code', HEX],
];

const places: readonly (readonly [string, (name: string, value: string) => Json])[] = [
  ['the query of a request', (name, value) => ({ method: 'GET', path: '/v1', query: { page: '2', [name]: value } })],
  ['a parameter given twice', (name, value) => ({ method: 'GET', path: '/', query: { [name]: [value, value] } })],
  ['a URL', (name, value) => `https://x.example/v1?${query(name, value)}&page=2`],
  ['a fragment', (name, value) => `https://x.example/v1#${query(name, value)}`],
  ['running text', (name, value) => `went to https://x.example/?a=1&${query(name, value)} and on`],
  ['a form body', (name, value) => `${query(name, value)}&page=2`],
  ['a URL in a JSON body', (name, value) => ({ url: `/v1?${query(name, value)}` })],
  ['JSON text', (name, value) => JSON.stringify({ url: `/v1?${query(name, value)}` })],
];

function query(name: string, value: string): string {
  return String(new URLSearchParams({ [name]: value }));
}

describe.each(places)('a parameter in %s', (_where, put) => {
  it.each(secrets)('is redacted: %s=%s', (name, secret) => {
    const { value, findings } = createRedactor().redact(put(name, secret));
    expect(value).toEqual(JSON.parse(JSON.stringify(put(name, 'SECRET')).replaceAll('SECRET', REDACTED)));
    expect(findings.length).toBeGreaterThan(0);
    expect(createRedactor().redact(value)).toEqual({ value, findings: [] });
  });

  it.each(ordinary)('stays: %s=%s', (name, plain) => {
    const value = put(name, plain);
    expect(createRedactor().redact(value)).toEqual({ value, findings: [] });
  });
});

describe('names of parameters', () => {
  it.each(['key', 'sig', 'signature', 'auth', 'appid', 'code', 'hmac', 'sas', 'session_id', 'sid'])(
    'are names like any other in a JSON body: %s',
    (name) => {
      const value = { method: 'POST', path: '/', body: { [name]: HEX } };
      expect(createRedactor().redact(value)).toEqual({ value, findings: [] });
      const text = JSON.stringify({ [name]: HEX });
      expect(createRedactor().redact(text)).toEqual({ value: text, findings: [] });
    },
  );

  it.each(['app_key', 'dd-app-key', 'jwt', 'idJwt'])('are those of a secret anywhere: %s', (name) => {
    expect(createRedactor().redact({ body: { [name]: 'tango' } }).value).toEqual({ body: { [name]: REDACTED } });
  });

  it('are none in a query that is not that of a request', () => {
    const value = { tool: 'search', query: { key: HEX } };
    expect(createRedactor().redact(value)).toEqual({ value, findings: [] });
  });

  it('spare what a key spares', () => {
    const value = { method: 'GET', path: '/', query: { credentials: 'include', next_page_token: 'tango' } };
    expect(createRedactor().redact(value)).toEqual({ value, findings: [] });
  });

  it('are joined by those of the user', () => {
    const redactor = createRedactor({ keys: ['ssn'] });
    expect(redactor.redact({ method: 'GET', path: '/', query: { SSN: '1' } }).value).toMatchObject({
      query: { SSN: REDACTED },
    });
    expect(redactor.redact('/?ssn=12').value).toBe(`/?ssn=${REDACTED}`);
  });

  it.each([1, 3, 7])('give a value away in chunks of %i', (size) => {
    for (const text of [
      `/run?code=${FUNCTION_KEY}&a=1`,
      `key=${HEX}`,
      '/?key=orders&code=SAVE10 and on',
      'key=orders',
    ]) {
      const out = assembled(chunked(createRedactor(), piecesOf(text, size)));
      expect(out).toBe(createRedactor().redact(text).value);
    }
  });
});

describe('a parameter that is judged', () => {
  const request = (code: string): Json => ({ method: 'GET', path: '/', query: { code } });

  it('is judged each time where it is given twice', () => {
    const { value, findings } = createRedactor().redact({ method: 'GET', path: '/', query: { key: ['orders', HEX] } });
    expect(value).toMatchObject({ query: { key: ['orders', REDACTED] } });
    expect(findings).toEqual([{ path: '/query/key/1', reason: 'sensitive_key' }]);
  });

  it('is looked for later when it is a secret', () => {
    const redactor = createRedactor();
    redactor.redact(request(FUNCTION_KEY));
    redactor.redact(request('SUMMERSALE'));
    expect(redactor.redact(`sent ${FUNCTION_KEY} in SUMMERSALE`).value).toBe(`sent ${REDACTED} in SUMMERSALE`);
  });

  it('is the same to a replay that was given the replacement', () => {
    const recording = createRedactor();
    recording.redact({ token: 'tango-whisky' });
    const replay = createRedactor();
    for (const make of [request, (code: string): Json => `/?code=${code}&a=1`]) {
      const recorded = recording.redact(make('x.tango-whisky.y')).value;
      expect(replay.redact(make(`x.${REDACTED}.y`)).value).toEqual(recorded);
      expect(recorded).toEqual(make(REDACTED));
    }
  });
});
