import { describe, expect, it } from 'vitest';
import { RULESETS } from '../rules/rulesets.js';
import { splicePairs } from './pair-text.js';
import { spliced } from './splice.js';

const keys = (RULESETS.find(({ name }) => name === 'default') as (typeof RULESETS)[number]).keys;
const redact = (text: string): string =>
  spliced(
    text,
    splicePairs(text, keys, () => {}),
  );

describe('pairs in a string', () => {
  it.each([
    [
      'a query',
      'GET https://x.example/a?page=2&api_key=aaa&b=1 twice',
      'GET https://x.example/a?page=2&api_key=[REDACTED]&b=1 twice',
    ],
    ['a fragment', 'https://x.example/#access_token=aaa&state=1', 'https://x.example/#access_token=[REDACTED]&state=1'],
    ['a form', 'grant_type=password&password=a%20b', 'grant_type=password&password=[REDACTED]'],
    ['the first pair of a form', 'client%5Fsecret=aaa&x=', 'client%5Fsecret=[REDACTED]&x='],
    ['a form of one pair', 'token=aaa', 'token=[REDACTED]'],
  ])('lose the value of a key in %s', (_where, text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  it.each([
    ['an empty value', '?token=&a=1'],
    ['code', 'const token=getToken() && x'],
    ['another key', 'max_tokens=5&page_token=aaa'],
    ['a bad escape in a key', '?%zz=1'],
    ['a fetch option', '?credentials=include'],
  ])('keep %s', (_what, text) => {
    expect(redact(text)).toBe(text);
  });

  it('teach what was redacted, decoded', () => {
    const taught: string[] = [];
    splicePairs('?token=a%2Fb+c&secret=%', keys, (secret) => taught.push(secret));
    expect(taught).toEqual(['a/b c', '%']);
  });
});
