import { describe, expect, it } from 'vitest';
import { createRedactor, type Redactor } from '../../src/index.js';

/** Texts that make a careless scanner look at the same characters again and again. */
const adversaries: Readonly<Record<string, (size: number) => string>> = {
  'one letter': (size) => 'a'.repeat(size),
  quotes: (size) => '"'.repeat(size),
  backslashes: (size) => '\\'.repeat(size),
  'backslashes and quotes': (size) => '\\\\"'.repeat(size / 3),
  'colons after quotes': (size) => '":'.repeat(size / 2),
  'keys without a value': (size) => '"token":'.repeat(size / 8),
  'openings without a close': (size) => '"token":{'.repeat(size / 9),
  'schemas in schemas': (size) => '"token":{"type":"string","properties":{'.repeat(size / 38),
  'passwords cut off': (size) => `"password":"${'x\\"'.repeat(size / 3)}`,
  bearers: (size) => 'Bearer '.repeat(size / 7),
  'white space after a bearer': (size) => `Bearer${' '.repeat(size)}`,
  'keys that end in a letter': (size) => `sk-${'a'.repeat(size)}é`,
  'openings of keys': (size) => `${'sk-'.repeat(size / 3)}é`,
  'openings of tokens': (size) => 'eyJ-'.repeat(size / 4),
  'dots after tokens': (size) => 'eyJaaaaaaaa.'.repeat(size / 12),
  'openings of key blocks': (size) => '-----BEGIN PRIVATE KEY-----'.repeat(size / 27),
  'a key block without an end': (size) => `-----BEGIN PRIVATE KEY-----${'a- '.repeat(size / 3)}`,
  schemes: (size) => '://a:'.repeat(size / 5),
  'a password without a host': (size) => `x://a:${'b'.repeat(size)}`,
  pairs: (size) => '?token=a&'.repeat(size / 9),
  'equals signs': (size) => '='.repeat(size),
  'names without a value': (size) => '&a'.repeat(size / 2),
  'connection strings': (size) => 'a=b '.repeat(size / 4),
  assignments: (size) => 'password=abcd,'.repeat(size / 14),
  'names before a sign': (size) => `token=${'a-'.repeat(size / 2)}=`,
  'flags without a value': (size) => '--token '.repeat(size / 8),
  'keys that were learned': (size) => 'sk-yyyyyyyyyyyyyyyy '.repeat(size / 20),
  replacements: (size) => '[REDACTED]'.repeat(size / 10),
  'replacements in Base64': (size) => 'W1JFREFDVEVEXQ'.repeat(size / 14),
  'all telling characters': (size) => '~%+=-_:/JQKA.Bb'.repeat(size / 15),
  'a batch of forms': (size) => repeated(size, (i) => `user=${i}&password=pw${i}&token=t${i}abc&`),
  'many tokens that begin alike': (size) => repeated(size, (i) => `token=${String(i).padStart(16, 'q')}\n`),
  'openings of webhooks': (size) => '/services/T00000000/B00000000/'.repeat(size / 30),
  'openings of bots': (size) => '/bot110201543:'.repeat(size / 14),
  'ids of bots': (size) => '110201543:Aaaa'.repeat(size / 14),
  'openings of Discord': (size) => 'webhooks/111111111111111111/'.repeat(size / 28),
  'openings of Teams': (size) => 'IncomingWebhook/'.repeat(size / 16),
  'a webhook without an end': (size) => `IncomingWebhook/${'0'.repeat(size)}`,
  'parameters that are judged': (size) => '?key=a0&'.repeat(size / 8),
  'a parameter of runs': (size) => `?key=${'aaaaaaaaaaaaaaa0-'.repeat(size / 17)}`,
  'a parameter of letters': (size) => `?key=${'a'.repeat(size)}`,
  'what was learned, nearly': (size) => `y${'y'.repeat(size)}`,
  'what was learned': (size) => `${'y'.repeat(500)}z`.repeat(size / 501),
};

function repeated(size: number, make: (index: number) => string): string {
  let text = '';
  for (let index = 0; text.length < size; index++) text += make(index);
  return text;
}

const FULL = process.env.STEPFORK_FULL === '1';
const SIZE = FULL ? 1 << 17 : 1 << 15;
const GROWTH = 8;

/** The fastest of a few runs: what the text costs, not what else the machine does. */
function cost(text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const redactor = taught();
    const before = process.cpuUsage();
    redactor.redact({ text });
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}

function taught(): Redactor {
  const redactor = createRedactor({ pii: ['email', 'phone'] });
  redactor.redact({ token: `${'y'.repeat(500)}z` });
  redactor.redact({ token: 'sk-yyyyyyyyyyyyyyyy' });
  return redactor;
}

describe('a text of many megabytes', () => {
  it.each<[string, string]>([
    ['base64 of JSON', Buffer.from(`{"a":"${'x'.repeat(7_000_000)}"}`).toString('base64')],
    ['a form', 'password=x&'.repeat(FULL ? 900_000 : 100_000)],
    ['one value', `token=${'a,'.repeat(5_000_000)}`],
  ])('is redacted like any other: %s', (_what, text) => {
    const { value } = createRedactor().redact({ text, token: 'hunter2hunter2' });
    expect(JSON.stringify(value)).not.toContain('hunter2');
  });
});

describe('a text eight times as long', () => {
  it.each(Object.entries(adversaries))('does not cost many times more than eight times as much: %s', (_what, make) => {
    const small = Math.max(cost(make(SIZE)), 2_000);
    const large = cost(make(SIZE * GROWTH));
    // Quadratic work would make it 64.
    expect(large / small).toBeLessThan(GROWTH * 4);
  });
});
