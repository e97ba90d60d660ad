import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdSet } from './id-set.js';

describe('a set of ids', () => {
  it('holds what was added, whatever its form, and nothing else', () => {
    const digits = fc.stringMatching(/^[0-2]{32}$/).map((hex) => `evt_${hex}`);
    const id = fc.oneof(
      digits,
      fc.constantFrom(`evt_${'0'.repeat(32)}`, '', 'evt_', `evt_${'0'.repeat(31)}`),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 40 }), id, (ids, other) => {
        const set = new IdSet();
        const model = new Set<string>();
        for (const one of ids) {
          expect(set.add(one)).toBe(!model.has(one));
          model.add(one);
        }
        for (const one of [...ids, other]) expect(set.has(one)).toBe(model.has(one));
      }),
    );
  });

  it('grows', () => {
    const set = new IdSet();
    const ids = Array.from({ length: 5000 }, (_, n) => `evt_${n.toString(16).padStart(32, '0')}`);
    for (const id of ids) expect(set.add(id)).toBe(true);
    for (const id of ids) expect(set.add(id)).toBe(false);
    expect(set.has(`evt_${'f'.repeat(32)}`)).toBe(false);
  });
});
