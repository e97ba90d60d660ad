import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DRIVES_TERMINAL } from '../test/support/drives-terminal.js';
import { displayLine, jsonDocument, jsonLine } from './json-text.js';

describe('JSON for a terminal', () => {
  it('parses to the value it was made of', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // JSON has one zero.
        const expected = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(jsonDocument(value))).toEqual(expected);
        expect(JSON.parse(jsonLine(value))).toEqual(expected);
      }),
    );
  });

  it('holds no character that drives a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(jsonDocument({ [text]: text })).not.toMatch(DRIVES_TERMINAL);
        expect(jsonLine([text])).not.toMatch(DRIVES_TERMINAL);
      }),
    );
    expect(jsonLine('\u009b31m\u202e\u007f')).toBe('"\\u009b31m\\u202e\\u007f"');
    expect(jsonLine('\u{e0041}')).toBe('"\\udb40\\udc41"');
  });

  it('keeps the digits of large integers and the order of keys', () => {
    expect(jsonLine({ b: 9007199254740993n, a: 1 })).toBe('{"b":9007199254740993,"a":1}');
  });
});

describe('displayLine', () => {
  it('cuts to the width, the ellipsis included', () => {
    expect(displayLine('abcdef', 4)).toBe('abc…');
    expect(displayLine('abcd', 4)).toBe('abcd');
    expect(displayLine('abcd', null)).toBe('abcd');
  });

  it('cuts no character in two', () => {
    expect(displayLine('ab😀cd', 4)).toBe('ab…');
  });

  it('escapes before it counts', () => {
    expect(displayLine('\u001b[31m', 8)).toBe('\\u001b[…');
  });
});
