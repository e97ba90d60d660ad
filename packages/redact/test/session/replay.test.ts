import type { Json } from '@stepfork/trace-format/write';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from '../../src/index.js';
import { riskyText } from '../laws/values.js';

/** Ways in which an agent puts a string that it was given into a later call. */
const uses: Readonly<Record<string, (secret: string, before: string, after: string) => Json>> = {
  'as it is': (secret) => ({ id: secret }),
  'between other text': (secret, before, after) => `${before}${secret}${after}`,
  'in a header': (secret) => ({ headers: { Authorization: `Bearer ${secret}`, 'X-Id': secret } }),
  'in a list of headers': (secret, before) => [
    ['x-id', secret],
    ['cookie', `sid=${secret}; a=${before}`],
  ],
  'in a URL': (secret, before) =>
    `https://x.example/${encodeURIComponent(before.toWellFormed())}?id=${encodeURIComponent(secret)}#${secret}`,
  'in a form': (secret, before) => new URLSearchParams({ a: before, id: secret, token: secret }).toString(),
  'in JSON text': (secret, before) => JSON.stringify({ a: before, id: secret, deep: JSON.stringify([secret]) }),
  'in Basic': (secret) => ({ h: `Basic ${Buffer.from(`user:${secret}`).toString('base64')}` }),
  'in Base64': (secret, before) =>
    `x ${Buffer.from(before + secret).toString('base64')} ${Buffer.from(secret).toString('base64url')}`,
  'in a URL password': (secret) => `postgres://app:${encodeURIComponent(secret)}@db.example/main`,
  'as a key': (secret) => ({ [secret]: 1 }),
  'inside another secret': (secret, before) => ({ cookie: `sid=${secret}${before}`, note: `sid=${secret}${before}` }),
};

declare global {
  interface String {
    toWellFormed(): string;
  }
}

const numRuns = process.env.STEPFORK_FULL === '1' ? 5_000 : 150;
// A quote or backslash at its edge may meet a backslash or letter outside: then it cannot be told from an escape.
const secrets = fc
  .stringMatching(/^[A-Za-z0-9+/=_.~"\\ é-]{8,30}$/)
  .filter(
    (text) =>
      text.trim() === text &&
      !/^["\\]|\\$|REDACTED/.test(text) &&
      !/^(bearer|basic|token|apikey|negotiate)\s/i.test(text),
  );

const isEqual = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Each replacement with what of a key stands right beside it taken for one. */
function aroundKeys(value: Json): string {
  const key = '[A-Za-z0-9_.~+/-]*';
  return JSON.stringify(value).replace(new RegExp(`${key}(?:\\[REDACTED\\]${key})+`, 'g'), REDACTED);
}

describe('a call that an agent makes of what it was given', () => {
  it.each(Object.entries(uses))('is recorded and replayed alike %s', (_how, use) => {
    fc.assert(
      fc.property(secrets, riskyText, riskyText, (secret, before, after) => {
        const recording = createRedactor();
        const recorded = recording.redact({ user: { access_token: secret, name: 'Ada' } }).value;
        const recordedCall = recording.redact(use(secret, before, after)).value;

        const replay = createRedactor();
        expect(replay.redact(recorded).findings).toEqual([]);
        const served = (recorded as { user: { access_token: string } }).user.access_token;
        expect(served).toBe(REDACTED);
        const replayedCall = replay.redact(use(served, before, after)).value;
        // A longer key that the agent made around the secret is one to the recording alone, which takes it out whole.
        if (!isEqual(replayedCall, recordedCall)) expect(aroundKeys(replayedCall)).toEqual(aroundKeys(recordedCall));
        expect(createRedactor().redact(recordedCall).value).toEqual(recordedCall);
      }),
      { numRuns, seed: 7 },
    );
  });

  it('keeps the shape of what only the default ruleset redacts', () => {
    const { value } = createRedactor().redact({
      credentials: { key: 'aaaaaaaaaaaa', expires: 3, scopes: ['read', ''] },
    });
    expect(value).toEqual({ credentials: { key: REDACTED, expires: 3, scopes: [REDACTED, ''] } });
  });

  it('teaches nothing from a replacement', () => {
    const redactor = createRedactor();
    redactor.redact({ token: REDACTED, cookie: `sid=${REDACTED}; theme=dark`, secret: `my ${REDACTED}` });
    expect(redactor.redact(`sid=${REDACTED} my REDACTED`).findings).toEqual([]);
  });
});
