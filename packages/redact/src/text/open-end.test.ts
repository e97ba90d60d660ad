import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OpenEnd } from './open-end.js';

/** The same, said at once. */
const UNFINISHED = /(?:\\{0,7}["'][^"'\\\r\n]*|[^\s"'`\\<>]*\\{0,7})$/y;

it('tells of every place whether a value from there reaches the end', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '=', '"', "'", '\\', ' ', '\n', '<', '`', ','), maxLength: 24 });
  fc.assert(
    fc.property(text, (given) => {
      const end = new OpenEnd(given);
      for (let at = 0; at <= given.length; at++) {
        UNFINISHED.lastIndex = at;
        expect([at, end.isReachedFrom(at)]).toEqual([at, UNFINISHED.test(given)]);
      }
    }),
    { numRuns: 2_000, seed: 7 },
  );
});
