import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED } from '../replacement.js';
import { RULESETS } from '../rules/rulesets.js';
import { spliceJsonText } from './json-text.js';
import { spliced } from './splice.js';

const keys = (RULESETS.find(({ name }) => name === 'default') as (typeof RULESETS)[number]).keys;
const redact = (text: string): string =>
  spliced(
    text,
    spliceJsonText(text, keys, () => {}),
  );
const taughtBy = (text: string): readonly string[] => {
  const taught: string[] = [];
  spliceJsonText(text, keys, (secret) => taught.push(secret));
  return taught;
};

describe('JSON text in a string', () => {
  it.each([
    ['a string', '{"a":1,"password":"x","b":1.0}', '{"a":1,"password":"[REDACTED]","b":1.0}'],
    ['an empty string', '{"password":""}', '{"password":"[REDACTED]"}'],
    ['white space', '{ "password" :\n  "x" }', '{ "password" :\n  "[REDACTED]" }'],
    ['escaped quotes', String.raw`{"password":"a\"b\\","b":2}`, '{"password":"[REDACTED]","b":2}'],
    ['a number', '{"password":-1.5e3,"b":2}', '{"password":"[REDACTED]","b":2}'],
    ['null', '{"password":null}', '{"password":"[REDACTED]"}'],
    ['an object', '{"password":{"a":"}","b":[1]},"c":3}', '{"password":"[REDACTED]","c":3}'],
    ['a list', '{"password":["a",["]"]],"c":3}', '{"password":"[REDACTED]","c":3}'],
    ['text around it', 'Send {"password": "x"} now', 'Send {"password": "[REDACTED]"} now'],
    ['quotes before it', 'a 5" pipe, {"password":"x"}', 'a 5" pipe, {"password":"[REDACTED]"}'],
    ['events', 'data: {"password":"x"}\n\ndata: [DONE]\n\n', 'data: {"password":"[REDACTED]"}\n\ndata: [DONE]\n\n'],
    ['a cut in a string', '{"password":"x', '{"password":"[REDACTED]'],
    ['a cut in an object', '{"password":{"a":"x', '{"password":"[REDACTED]"'],
    ['one that is redacted', '{"password":"[REDACTED]"}', '{"password":"[REDACTED]"}'],
    ['several', '{"password":"x","a":{"secret":"y"}}', '{"password":"[REDACTED]","a":{"secret":"[REDACTED]"}}'],
  ])('loses the value of a key: %s', (_what, text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  it.each([
    ['numbers', '{"token":5,"cookies":[true,null]}'],
    ['an empty text', '{"token":""}'],
    ['a schema', '{"token":{"type":"string","description":"x"}}'],
    ['a log probability', '{"token":"Hello","logprob":-0.5}'],
    ['a log probability, keys in order', '{"bytes":null,"logprob":-0.5,"token":"Hello"}'],
    ['a fetch option', '{"credentials":"include"}'],
    ['another key', '{"tokens":"x","max_tokens":"y"}'],
    ['code', 'login({"password": password, "token": getToken()})'],
    ['no value', '"password":'],
    ['an odd quote', '\\"password":"x"'],
  ])('keeps %s', (_what, text) => {
    expect(redact(text)).toBe(text);
  });

  it('loses only texts under a key of the default ruleset alone', () => {
    expect(redact('{"cookies":{"a":"x","n":1,"list":["y",{"b":"z"}]},"c":"d"}')).toBe(
      '{"cookies":{"a":"[REDACTED]","n":1,"list":["[REDACTED]",{"b":"[REDACTED]"}]},"c":"d"}',
    );
  });

  it('loses secrets inside what is spared', () => {
    expect(redact('{"token":{"type":"object","properties":{"password":{"default":"x"}}}}')).toBe(
      '{"token":{"type":"object","properties":{"password":"[REDACTED]"}}}',
    );
  });

  it('teaches what it redacted, unescaped', () => {
    expect(taughtBy(String.raw`{"password":"a\nb\u00e9","secret":["c\"d",1]}`)).toEqual(['a\nbé', 'c"d']);
    expect(taughtBy(JSON.stringify({ arguments: JSON.stringify({ token: 'a\n"b' }) }))).toEqual(['a\n"b']);
    expect(taughtBy('{"password":{"type":"string","enum":["a"]}}')).toEqual([]);
  });

  it('is seen at any depth of escaping', () => {
    const value = fc.string({ maxLength: 20 }).filter((text) => text !== REDACTED);
    fc.assert(
      fc.property(value, value, fc.integer({ min: 0, max: 5 }), (secret, other, depth) => {
        const wrap = (one: string): string => {
          let text = JSON.stringify({ a: other, password: one, z: other });
          for (let i = 0; i < depth; i++) text = JSON.stringify({ n: i, deeper: text, after: other });
          return text;
        };
        expect(redact(wrap(secret))).toBe(wrap(REDACTED));
        expect(taughtBy(wrap(secret))).toEqual([secret]);
      }),
      { seed: 1 },
    );
  });
});
