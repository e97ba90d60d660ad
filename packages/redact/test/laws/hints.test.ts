import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/index.js';
import { LAST_WORDS } from '../../src/keys/secret-names.js';
import { ASSIGNMENT_HINTS } from '../../src/text/assignment-text.js';

const RUNS = process.env.STEPFORK_FULL === '1' ? 20_000 : 1_000;

/** All words that make the redactor look, so that it looks whatever else a text says. */
const EVERY_HINT = ASSIGNMENT_HINTS.map(({ word }) => word).join(' ');

const cased = (word: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((upper) => [...word].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''));
const LAST = [...LAST_WORDS, 'pass_word', 'pass-phrase', 'pass.code', 'password.hash', 'api.key', 'access_token'];
/** A name of a secret, however it is written. */
const name = fc
  .tuple(fc.constantFrom('', 'db_', 'x-goog-', 'my.', 'API'), fc.constantFrom(...LAST))
  .map((parts) => parts.join(''))
  .chain(cased);
const sign = fc
  .tuple(
    fc.constantFrom('', '_', '.'),
    fc.stringMatching(/^[ \t]{0,4}$/),
    fc.constantFrom('=', ':'),
    fc.stringMatching(/^[ \t]{0,4}$/),
  )
  .map((parts) => parts.join(''));
const value = fc.constantFrom('hunter2xyz9', '"hunter2xyz9"', "'q1w2e3r4t5y6'", 'q1w2e3r4t5y6');

describe('a text with a secret', () => {
  it('loses it whatever else it says: what makes the rules look is all that they can strike on', () => {
    fc.assert(
      fc.property(name, sign, value, (key, between, secret) => {
        const alone = `${key}${between}${secret}`;
        const redacted = (said: string): string => String(createRedactor().redact(said).value);
        const beside = redacted(`${EVERY_HINT}\n${alone}`).slice(EVERY_HINT.length + 1);
        expect(redacted(alone)).toBe(beside);
      }),
      { numRuns: RUNS },
    );
  });

  it('loses it where assignments are aligned', () => {
    const settings = '[db]\nuser      = app\npassword  = hunter2xyz9\napi_key\t= q1w2e3r4t5y6';
    expect(createRedactor().redact(settings).value).toBe(
      '[db]\nuser      = app\npassword  = [REDACTED]\napi_key\t= [REDACTED]',
    );
  });
});
