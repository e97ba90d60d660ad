import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical.js';
import { jsonText } from './native.js';

const prototypes = [Array.prototype, Object.prototype] as { toJSON?: () => string }[];
afterEach(() => {
  for (const prototype of prototypes) delete prototype.toJSON;
});

describe('JSON text', () => {
  it('is what JSON.stringify makes, and stays that where everything has a toJSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const canonical = canonicalJson(value as never);
        expect(jsonText(value, indent)).toBe(text);
        for (const prototype of prototypes) {
          Object.defineProperty(prototype, 'toJSON', { value: () => 'lost', configurable: true });
        }
        const patched = [jsonText(value, indent), canonicalJson(value as never)];
        for (const prototype of prototypes) delete prototype.toJSON;
        expect(patched).toEqual([text, canonical]);
      }),
    );
  });
});
