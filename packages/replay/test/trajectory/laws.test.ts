import process from 'node:process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assertMaxSteps,
  assertToolCallCount,
  assertToolCalled,
  assertToolNotCalled,
  assertToolOrder,
  assertToolSequence,
  assertTrajectory,
} from '../../src/index.js';
import { failureOf, llm, reportOf, tool } from './reports.js';

const numRuns = process.env.STEPFORK_FULL === '1' ? 20_000 : 1_000;

/** Few names, so that they recur; one that is a prototype's key, and models of the same names. */
const name = fc.constantFrom('a', 'b', '__proto__');
const names = fc.array(name, { minLength: 1, maxLength: 5 });
const calls = fc.array(
  fc.tuple(fc.boolean(), name).map(([isTool, each]) => (isTool ? tool(each) : llm(each))),
  { maxLength: 7 },
);

const toolNames = (of: readonly { kind: string; name: string }[]): readonly string[] =>
  of.filter(({ kind }) => kind === 'tool').map((each) => each.name);

const holds = (assertion: () => void): boolean => failureOf(assertion) === null;

/** Every choice of so many places, in ascending order. */
function subsequences(of: readonly string[], length: number): readonly (readonly string[])[] {
  if (length === 0) return [[]];
  return of.flatMap((first, index) => subsequences(of.slice(index + 1), length - 1).map((rest) => [first, ...rest]));
}

const same = (a: readonly string[], b: readonly string[]): boolean => JSON.stringify(a) === JSON.stringify(b);

describe('whatever the calls', () => {
  it('B243 an order holds exactly where some pair of calls has it', () => {
    fc.assert(
      fc.property(calls, name, name, (made, first, second) => {
        const pairs = subsequences(toolNames(made), 2);
        const wanted = pairs.some((pair) => same(pair, [first, second]));
        expect(holds(() => assertToolOrder(reportOf(made), first, second))).toBe(wanted);
      }),
      { numRuns },
    );
  });

  it('B244 a sequence among others holds exactly where some choice of calls is it', () => {
    fc.assert(
      fc.property(calls, names, (made, wanted) => {
        const found = subsequences(toolNames(made), wanted.length).some((choice) => same(choice, wanted));
        expect(holds(() => assertToolSequence(reportOf(made), wanted, { strict: false }))).toBe(found);
      }),
      { numRuns },
    );
  });

  it('B244 an exact sequence holds for the list of tools that were called, and for no other', () => {
    fc.assert(
      fc.property(calls, names, (made, wanted) => {
        const report = reportOf(made);
        expect(holds(() => assertToolSequence(report, wanted))).toBe(same(toolNames(made), wanted));
        fc.pre(toolNames(made).length > 0);
        expect(holds(() => assertToolSequence(report, toolNames(made)))).toBe(true);
      }),
      { numRuns },
    );
  });

  it('B241 a tool was called, or not, or so many times', () => {
    fc.assert(
      fc.property(calls, name, fc.nat(4), (made, wanted, count) => {
        const report = reportOf(made);
        const times = toolNames(made).filter((each) => each === wanted).length;
        expect(holds(() => assertToolCalled(report, wanted))).toBe(times > 0);
        expect(holds(() => assertToolNotCalled(report, wanted))).toBe(times === 0);
        expect(holds(() => assertToolCallCount(report, wanted, count))).toBe(times === count);
        expect(holds(() => assertMaxSteps(report, count))).toBe(made.length <= count);
      }),
      { numRuns },
    );
  });

  it('an expectation holds exactly where each of its parts does', () => {
    fc.assert(
      fc.property(calls, name, name, names, fc.boolean(), fc.nat(7), (made, first, second, sequence, strict, most) => {
        const report = reportOf(made);
        const parts = [
          () => assertToolCalled(report, first),
          () => assertToolNotCalled(report, second),
          () => assertToolOrder(report, first, second),
          () => assertToolSequence(report, sequence, { strict }),
          () => assertMaxSteps(report, most),
        ];
        const whole = {
          called: [first],
          not_called: [second],
          order: [[first, second]],
          sequence,
          strict_sequence: strict,
          max_steps: most,
        };
        expect(holds(() => assertTrajectory(report, whole))).toBe(parts.every(holds));
      }),
      { numRuns },
    );
  });
});
