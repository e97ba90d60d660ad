import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Column, fitted } from './fitted-columns.js';

const RUNS = process.env.STEPFORK_FULL === '1' ? 5000 : 300;

const texts = fc.array(fc.string({ maxLength: 50 }), { minLength: 3, maxLength: 3 });
const column: fc.Arbitrary<Column> = fc
  .record({ heading: fc.string({ maxLength: 8 }), texts, fair: fc.nat(40), least: fc.nat(10), yields: fc.nat(6) })
  .map(({ heading, texts, fair, least, yields }) => ({
    heading,
    cells: texts.map((text) => ({ text })),
    fair: Math.max(fair, least + 1),
    least: least + 1,
    ...(yields === 0 ? {} : { yields }),
  }));
const columns = fc.array(column, { minLength: 1, maxLength: 9 });

const widthOf = (shown: readonly Column[]): number =>
  shown.reduce(
    (sum, { heading, cells }) => sum + Math.max(heading.length, ...cells.map(({ text }) => text.length)) + 2,
    -2,
  );
const unyielding = (all: readonly Column[]): readonly Column[] => all.filter(({ yields }) => yields === undefined);
const leastWidth = (all: readonly Column[]): number =>
  unyielding(all).reduce((sum, each) => sum + Math.min(each.least ?? 0, widthOf([each])) + 2, -2);

describe('columns that are to fit a terminal', () => {
  it('are no wider than it, where those that must be there can be', () => {
    fc.assert(
      fc.property(columns, fc.integer({ min: 1, max: 200 }), (all, width) => {
        fc.pre(leastWidth(all) <= width);
        expect(widthOf(fitted(all, width))).toBeLessThanOrEqual(width);
      }),
      { numRuns: RUNS },
    );
  });

  it('are all there as they are where there is room', () => {
    fc.assert(
      fc.property(columns, (all) => {
        expect(fitted(all, widthOf(all)).map(({ cells }) => cells)).toEqual(all.map(({ cells }) => cells));
      }),
      { numRuns: RUNS },
    );
  });

  it('never lose one that must be there', () => {
    fc.assert(
      fc.property(columns, fc.integer({ min: 1, max: 200 }), (all, width) => {
        expect(unyielding(fitted(all, width))).toHaveLength(unyielding(all).length);
      }),
      { numRuns: RUNS },
    );
  });
});
