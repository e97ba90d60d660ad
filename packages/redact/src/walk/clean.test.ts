import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { json } from '../../test/laws/values.js';
import { compileRules } from '../compile.js';
import { SessionMemory } from '../memory/memory.js';
import type { RedactOptions } from '../options.js';
import { createRedactor } from '../redactor.js';
import { CleanCheck } from './clean.js';

const SECRET = 'tango-7-whisky';

/** A rule that never strikes, and without which there would be a short cut. */
const LONG_WAY: RedactOptions = { functions: [() => false] };

describe('the check that spares a walk', () => {
  it('changes no result, whether or not something was learned', () => {
    const numRuns = process.env.STEPFORK_FULL === '1' ? 10_000 : 500;
    fc.assert(
      fc.property(json, fc.boolean(), (value, isTaught) => {
        const [short, long] = [createRedactor(), createRedactor(LONG_WAY)];
        for (const redactor of isTaught ? [short, long] : []) redactor.redact({ token: 'aaaaaaaa', cookie: SECRET });
        expect(short.redact(value)).toEqual(long.redact(value));
      }),
      { numRuns, seed: 4 },
    );
  });

  it.each([
    [{ a: [1, null, 'text of no interest', { b: 'x="y"' }] }, true],
    [{ max_tokens: 8, token_count: 1 }, true],
    [['token', 'x'], true],
    [{ token: 1 }, false],
    [{ a: `the word is ${SECRET}` }, false],
    [{ [SECRET]: 1 }, false],
    [{ a: '{"password":"x"}' }, false],
    [[['set-cookie', 'x']], false],
    [{ name: 'set-cookie', value: 'x' }, false],
    [{ $stepfork: 'map', entries: [] }, false],
    [{ $stepfork: 'bytes', kind: 'Buffer', base64: '' }, false],
  ])('says of %j: %j', (value, expected) => {
    const memory = new SessionMemory();
    memory.learn([SECRET]);
    expect(new CleanCheck(compileRules(), memory).isClean(value)).toBe(expected);
  });
});
