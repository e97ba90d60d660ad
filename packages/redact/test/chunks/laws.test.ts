import type { Json } from '@stepfork/trace-format/write';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED, type RedactOptions } from '../../src/index.js';
import { tableUnder } from '../docs/page.js';
import { riskyText } from '../laws/values.js';
import { assembled, chunked, piecesOf } from './streams.js';

const numRuns = process.env.STEPFORK_FULL === '1' ? 5_000 : 300;
const run = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void): void => {
  fc.assert(fc.property(arbitrary, law), { numRuns, seed: 20 });
};

const shapes = [...tableUnder('## Ruleset `0.1`', 1), ...tableUnder('### Shapes', 0)];
const inText = [...tableUnder('### Keys', 2), ...tableUnder('### Parameters', 0)];
const keys = [...tableUnder('## Ruleset `0.1`', 0), ...tableUnder('### Keys', 0)];
const pii = tableUnder('## Personal data', 0);
const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
const samples = [...shapes, ...inText, ...keys].flatMap(({ rule, redacted, spared }) => [
  { rule, text: textOf(redacted) },
  { rule: `a near miss of ${rule}`, text: textOf(spared) },
]);

/** How much of a secret may be out before the rule can tell, for those whose telling part comes late. */
const TELLS: Readonly<Record<string, number>> = { 'azure-client-secret': 3, 'azure-service-key': 32 };

/** What a text comes to, and how it may come out when the beginning of a literal prefix was out already. */
function expectLike(out: string, whole: string, text: string, rule: string): void {
  if (out === whole) return;
  const at = whole.indexOf(REDACTED);
  const early = out.slice(at, out.indexOf(REDACTED));
  // A beginning of what is replaced, too short to be told from an ordinary word.
  expect(text.slice(at, at + early.length), out).toBe(early);
  expect(early.length, out).toBeLessThanOrEqual(TELLS[rule] ?? 13);
  expect(early, out).not.toMatch(TELLS[rule] === undefined ? /a{4}|A{5}|0/ : /-/);
  expect(out.slice(0, at) + out.slice(at + early.length)).toBe(whole);
}

describe('the texts of chunks put together', () => {
  it.each(samples)('are what the whole text comes to, wherever it is cut in two: $rule', ({ rule, text }) => {
    for (const all of [text, `It says: ${text} and more`]) {
      const whole = createRedactor().redact(all).value as string;
      for (let cut = 0; cut <= all.length; cut++) {
        const out = assembled(chunked(createRedactor(), [all.slice(0, cut), all.slice(cut)]));
        expectLike(out, whole, all, rule);
      }
    }
  });

  it.each(samples)('are what the whole text comes to, however small the pieces: $rule', ({ rule, text }) => {
    const all = `It says: ${text} and more`;
    const whole = createRedactor().redact(all).value as string;
    for (const size of [1, 2, 3, 5]) {
      const out = assembled(chunked(createRedactor(), piecesOf(all, size)));
      expectLike(out, whole, all, rule);
    }
  });

  it.each(pii)('are what the whole text comes to with rules for personal data: $rule', ({ rule, redacted }) => {
    const options: RedactOptions = { pii: [rule as 'email' | 'phone'] };
    const text = `${String(redacted)} or so`;
    const whole = createRedactor(options).redact(text).value;
    for (const size of [1, 2, 7]) {
      expect(assembled(chunked(createRedactor(options), piecesOf(text, size)))).toBe(whole);
    }
  });

  it('are what the whole text comes to with patterns of the user', () => {
    const options: RedactOptions = { patterns: [/ACME-\d{6}/, /pin (?<secret>\d{4})(?!\d)/, /[[x]+\]{2}\/y{2,}?$/m] };
    const text = 'ACME-123456, pin 1234, pin 12345, ACME-12, [x]]/yyy\nthe end';
    const whole = createRedactor(options).redact(text).value;
    for (const size of [1, 2, 3, 4, 9]) {
      expect(assembled(chunked(createRedactor(options), piecesOf(text, size)))).toBe(whole);
    }
  });

  it('hold no secret that a rule finds in the whole', () => {
    // A run of Base64 that holds a replacement goes as a whole, as far as it is not out.
    const texts = riskyText.filter((text) => !text.includes('W1JF'));
    run(fc.tuple(texts, fc.array(fc.nat(12), { maxLength: 40 })), ([text, sizes]) => {
      const pieces: string[] = [];
      let rest = text;
      for (const size of sizes) {
        pieces.push(rest.slice(0, size));
        rest = rest.slice(size);
      }
      pieces.push(rest);
      const given = chunked(createRedactor(), pieces);
      expect(given.map(({ index }) => index)).toEqual(pieces.map((_, index) => index));
      const whole = createRedactor().redact(text).value as string;
      for (const secret of ['aaaaaaaa', 'bbbbbbbbbbbbbbbb', 'CCCCCCCCCCCCCCCC', 'dddddddd']) {
        if (!whole.includes(secret)) expect(assembled(given)).not.toContain(secret);
      }
    });
  });

  it('stay as they are the second time', () => {
    run(fc.tuple(riskyText, fc.integer({ min: 1, max: 9 })), ([text, size]) => {
      const once = chunked(createRedactor(), piecesOf(text, size)).map(({ value }) => value);
      expect(chunked(createRedactor(), once).map(({ value }) => value)).toEqual(once);
    });
  });
});
