import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEscape, readableText } from './readable-text.js';

const numbered = (json: string): string => json.slice(1, -1).replaceAll('\\"', '\\u0022').replaceAll('&', '\\u0026');

/** JSON text in a string, and so on, each time by one of two serializers. */
const nested = (levels: readonly boolean[]): string =>
  levels.reduce((text, isNumbered) => {
    const json = JSON.stringify({ a: text });
    return isNumbered ? `{"a":"${numbered(JSON.stringify(text))}"}` : json;
  }, '{"b":"c&d"}');

describe('a text with escapes', () => {
  it('is read as if the signs had been written, at any depth', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 5 }), (levels) => {
        const text = nested(levels);
        expect(readableText(text)?.text ?? text).toBe(nested(levels.map(() => false)));
      }),
      { seed: 3 },
    );
  });

  it('knows where everything was written', () => {
    const part = fc.constantFrom('a', '\\', '\\\\', '\\u0022', '\\u0026', 'u0022', '\\u00e9', '"', '\\n');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        const source = parts.join('');
        const readable = readableText(source);
        if (readable === null) return;
        const all = { from: 0, to: source.length };
        expect(readable.fromSource(all)).toEqual({ from: 0, to: readable.text.length });
        expect(readable.inSource(readable.fromSource(all))).toEqual(all);
        for (let at = 0; at < readable.text.length; at++) {
          const { from, to } = readable.inSource({ from: at, to: at + 1 });
          const said = readable.fromSource({ from, to });
          expect(said.from <= at && said.to > at).toBe(true);
          const written = source.slice(from, to);
          if (to - from === 1) expect(readable.text[at]).toBe(written);
          else expect(written).toMatch(/^\\+u00(22|26)$/);
        }
      }),
      { seed: 5 },
    );
  });

  it.each(['plain', 'caf\\u00e9', 'C:\\users', 'u0022', '\\u005c', '\\u000a'])(
    'may have none that matter: %s',
    (text) => {
      expect(readableText(text)).toBeNull();
    },
  );

  it.each([
    ['a\\', 1],
    ['a\\u00', 1],
    ['a\\u002', 1],
    ['a\\u0022', 7],
    ['abcdefgh', 8],
    ['', 0],
  ])('may be cut off in one: %s', (text, expected) => {
    expect(cutEscape(text)).toBe(expected);
  });
});
