import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNamedBy, shortIds } from './short-id.js';

describe('shortIds', () => {
  it('is eight characters, or as many as it takes', () => {
    const short = shortIds(['run_0123456789', 'run_0123456780', 'run_ff23456789', 'odd']);
    expect([...short]).toEqual(
      expect.arrayContaining([
        ['run_0123456789', '0123456789'],
        ['run_0123456780', '0123456780'],
        ['run_ff23456789', 'ff234567'],
        ['odd', 'odd'],
      ]),
    );
  });

  it('names one run alone, unless another id begins with the whole of it', () => {
    const id = fc
      .string({ unit: fc.constantFrom('a', 'b', '1'), minLength: 1, maxLength: 14 })
      .map((hex) => `run_${hex}`);
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 30 }), (ids) => {
        for (const [runId, short] of shortIds(ids)) {
          const named = ids.filter((other) => isNamedBy(other, short));
          expect(named).toContain(runId);
          if (short.length < runId.length - 4) expect(named).toEqual([runId]);
        }
      }),
    );
  });
});
