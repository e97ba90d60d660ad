import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lanesOf, mostAtOnce } from './lanes.js';

describe('lanesOf', () => {
  it('draws nothing where every outcome follows its call', () => {
    const spans = [
      { start: 0, end: 1 },
      { start: 2, end: 3 },
    ];
    expect(lanesOf(4, spans)).toEqual(['', '', '', '']);
    expect(mostAtOnce(spans)).toBe(1);
  });

  it('keeps a lane for each call that is open, and uses it again', () => {
    const spans = [
      { start: 0, end: 2 },
      { start: 1, end: 4 },
      { start: 3, end: null },
    ];
    expect(lanesOf(6, spans)).toEqual(['┌  ', '│┌ ', '└│ ', '┌│ ', '│└ ', '│  ']);
    expect(mostAtOnce(spans)).toBe(2);
  });

  it('begins and ends each line once, however many calls there are', () => {
    const span = fc.record({ start: fc.nat(40), length: fc.option(fc.integer({ min: 1, max: 30 })) });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 30 }), (made) => {
        const spans = made
          .map(({ start, length }) => ({ start, end: length === null ? null : start + length }))
          .sort((a, b) => a.start - b.start);
        const rows = lanesOf(80, spans);
        expect(new Set(rows.map((row) => row.length)).size).toBe(1);
        expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(9);
        for (let lane = 0; lane < (rows[0]?.length ?? 0) - 1; lane++) {
          expect(rows.map((row) => row[lane]).join('')).toMatch(/^(?: |┌│*└|┌│*$)*$/);
        }
      }),
    );
  });
});
