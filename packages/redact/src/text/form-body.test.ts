import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formOf } from './form-body.js';

/** The same, said at once. */
const BEGUN = /^[^=&\s"'<>{}]{1,100}=[^&\s]*(?:&[^=&\s"'<>{}]{1,100}=[^&\s]*)*(?:&[^=&\s"'<>{}]{0,100})?$/;
const WHOLE = /^[^=&\s"'<>{}]{1,100}=[^&\s]*(?:&[^=&\s"'<>{}]{1,100}=[^&\s]*)*$/;

it('tells a form body, or the beginning of one', () => {
  const part = fc.constantFrom('a', '=', '&', ' ', '"', '{', 'x'.repeat(99), 'b=1', '&c=2', '\n');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const expected = WHOLE.test(text) ? 'whole' : BEGUN.test(text) ? 'begun' : null;
      expect([text, formOf(text)]).toEqual([text, expected]);
    }),
    { numRuns: 5_000, seed: 11 },
  );
});

it('of any length', () => {
  expect(formOf('password=x&'.repeat(1_000_000))).toBe('begun');
  expect(formOf(`a=${'b'.repeat(10_000_000)}`)).toBe('whole');
});
