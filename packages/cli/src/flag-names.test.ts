import { describe, expect, it } from 'vitest';
import { inFlags } from './flag-names.js';

describe('inFlags', () => {
  it.each([
    ["option liveLlms names 'x'", "--live-llm names 'x'"],
    ['or list it in option allow', 'or list it in --allow'],
    ['option input gives others', '--input gives others'],
    ['pass them as option redact so that', "pass them as 'redact' of the configuration so that"],
    ['exists already; pass overwrite to replace it', 'exists already; pass --overwrite to replace it'],
    [
      "option ignore leaves it out: ignore: { 'llm:acme/mini': ['/messages/1/content', '/now'] }",
      "--ignore 'llm:acme/mini=/messages/1/content' --ignore 'llm:acme/mini=/now' leaves it out",
    ],
    ["option order accepts any: order: 'any'", '--order any accepts any'],
  ])('names what is given here: %s', (message, said) => {
    expect(inFlags(message)).toBe(said);
  });

  it.each([
    "make a smaller input by the tool's option input, and record again",
    'option constructor is none of ours',
    'no option at all',
  ])('leaves alone what is none of ours: %s', (message) => {
    expect(inFlags(message)).toBe(message);
  });
});
