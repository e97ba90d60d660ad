import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DiffResult, DiffStep, ValueChange } from '../../src/index.js';
import { diffTraces, formatDiff } from '../../src/index.js';
import { type Deed, type RunEnding, runOf, type ToolDeed } from '../support/run-builder.js';

const RUNS = { numRuns: process.env.STEPFORK_FULL === '1' ? 2000 : 200 };

// Few names and values, so that steps are alike by chance as often as not.
const value = fc.oneof(
  fc.integer({ min: 0, max: 2 }),
  fc.constantFrom('a', null, { k: [1] }, { k: [2] }, -0, { api_key: 'a secret of mine' }, 'see a secret of mine'),
);
const ending = fc.oneof(
  { weight: 6, arbitrary: fc.record({ output: value }) },
  { weight: 1, arbitrary: fc.record({ failure: fc.constantFrom('declined', 'timed out') }) },
  { weight: 1, arbitrary: fc.constant({ open: true as const }) },
);
const input = fc.record({ n: fc.integer({ min: 0, max: 3 }) });
const leaf: fc.Arbitrary<ToolDeed> = fc
  .tuple(fc.constantFrom('search', 'save', 'poll'), input, ending)
  .map(([tool, given, end]) => ({ tool, input: given, ...end }));
const tool: fc.Arbitrary<ToolDeed> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.tuple(leaf, fc.array(leaf, { maxLength: 2 })).map(([call, inside]) => ({ ...call, inside })),
  },
);
const llm = fc.tuple(fc.constantFrom('small', 'large'), input, ending).map(([model, given, end]) => ({
  model,
  provider: 'acme',
  input: given,
  ...end,
}));
const state = fc.record({ state: fc.constantFrom('plan', null), before: value, after: value });
const fanOut = fc
  .array(fc.oneof(tool, llm), { minLength: 2, maxLength: 5 })
  .chain((all) =>
    fc
      .shuffledSubarray([...all.keys()], { minLength: all.length, maxLength: all.length })
      .map((ends): Deed => ({ all, ends })),
  );
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: tool },
  { weight: 2, arbitrary: llm },
  { weight: 1, arbitrary: state },
  { weight: 2, arbitrary: fanOut },
);
const deeds = fc.array(deed, { maxLength: 14 });
const runEnding: fc.Arbitrary<RunEnding> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ output: value, status: fc.constantFrom('completed' as const, 'failed' as const) }),
  },
  { weight: 1, arbitrary: fc.constant({ open: true as const }) },
);
const run = fc.tuple(deeds, runEnding);

/** A run, and the same after some of its deeds were dropped, doubled, swapped or replaced. */
const edited = fc
  .tuple(
    run,
    fc.array(fc.tuple(fc.nat(13), fc.constantFrom('drop', 'double', 'swap', 'replace'), deed), { maxLength: 4 }),
  )
  .map(([[before, end], edits]) => {
    const after = [...before];
    for (const [at, edit, other] of edits) {
      const here = after[at];
      if (here === undefined) after.push(other);
      else if (edit === 'drop') after.splice(at, 1);
      else if (edit === 'double') after.splice(at, 0, here);
      else if (edit === 'replace') after[at] = other;
      else after.splice(at, 2, ...after.slice(at, at + 2).reverse());
    }
    return [before, after, end] as const;
  });

const pairOfRuns = fc.oneof(
  edited.map(([before, after, end]) => [runOf(before, end), runOf(after, end)] as const),
  fc.tuple(run, run).map(([[a, endA], [b, endB]]) => [runOf(a, endA), runOf(b, endB)] as const),
);

describe('diffTraces', () => {
  test('finds a run equivalent to itself', () => {
    fc.assert(
      fc.property(run, ([what, end]) => {
        const trace = runOf(what, end);
        for (const candidate of [trace, runOf(what, end)]) {
          const result = diffTraces(trace, candidate);
          expect(result.equivalent).toBe(true);
          expect(result.counts).toEqual({ unchanged: result.steps.length, changed: 0, moved: 0, added: 0, removed: 0 });
          expect(formatDiff(result)).toBe('The two runs behave the same.\n');
        }
      }),
      RUNS,
    );
  });

  test('mirrors its result when the sides are swapped', () => {
    fc.assert(
      fc.property(pairOfRuns, ([a, b]) => {
        const there = diffTraces(a, b);
        const back = diffTraces(b, a);
        expect(inOrder(back.steps)).toEqual(inOrder(there.steps.map(mirrored)));
        expect(back.counts).toEqual({ ...there.counts, added: there.counts.removed, removed: there.counts.added });
      }),
      RUNS,
    );
  });

  test('places each step of each side once, those of the candidate in order, and counts them by kind', () => {
    fc.assert(
      fc.property(pairOfRuns, ([a, b]) => {
        const { steps, counts, equivalent } = diffTraces(a, b);
        const own = diffTraces(a, a).steps.length;
        const others = diffTraces(b, b).steps.length;
        expect(placesOf(steps, 'candidate')).toEqual(Array.from({ length: others }, (_, at) => at));
        expect(placesOf(steps, 'baseline').sort((x, y) => x - y)).toEqual(Array.from({ length: own }, (_, at) => at));
        for (const kind of ['unchanged', 'changed', 'moved', 'added', 'removed'] as const) {
          expect(counts[kind]).toBe(steps.filter((step) => step.kind === kind).length);
        }
        expect(equivalent).toBe(counts.unchanged === steps.length);
      }),
      RUNS,
    );
  });

  test('numbers each step of each side by the event with which it began', () => {
    const began: Readonly<Record<DiffStep['type'], string>> = {
      tool: 'tool_call',
      llm: 'llm_request',
      state: 'state_change',
      error: 'error',
      run: 'run_end',
    };
    fc.assert(
      fc.property(pairOfRuns, ([a, b]) => {
        for (const { type, baseline, baselineStep, candidate, candidateStep } of diffTraces(a, b).steps) {
          for (const [trace, place, step] of [
            [a, baseline, baselineStep],
            [b, candidate, candidateStep],
          ] as const) {
            expect(step === null).toBe(place === null);
            if (step !== null) expect(trace.events.find((event) => event.step === step)?.type).toBe(began[type]);
          }
        }
      }),
      RUNS,
    );
  });

  test('gives a kind that fits: changes where something changed, and only there', () => {
    fc.assert(
      fc.property(pairOfRuns, ([a, b]) => {
        for (const { kind, baseline, candidate, changes } of diffTraces(a, b).steps) {
          if (kind === 'unchanged' || kind === 'added' || kind === 'removed') expect(changes).toEqual([]);
          if (kind === 'changed') expect(changes).not.toEqual([]);
          expect(baseline === null).toBe(kind === 'added');
          expect(candidate === null).toBe(kind === 'removed');
        }
      }),
      RUNS,
    );
  });

  test('finds one insertion to be exactly one added step', () => {
    fc.assert(
      fc.property(run, leaf, fc.nat(), ([what, end], call, place) => {
        const at = place % (what.length + 1);
        const inserted = { tool: call.tool, input: call.input ?? null, output: 1 };
        const result = diffTraces(runOf(what, end), runOf(what.toSpliced(at, 0, inserted), end));
        expect(result.counts).toEqual({
          unchanged: result.steps.length - 1,
          changed: 0,
          moved: 0,
          added: 1,
          removed: 0,
        });
      }),
      RUNS,
    );
  });

  test('finds a fan-out that began and ended in another order equivalent', () => {
    const shuffled = fc
      .uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 12 })
      .chain((inputs) => {
        const order = fc.shuffledSubarray([...inputs.keys()], { minLength: inputs.length, maxLength: inputs.length });
        return fc.tuple(fc.constant(inputs), order, order, order);
      });
    fc.assert(
      fc.property(deeds, shuffled, deeds, (before, [inputs, begins, ends, otherEnds], after) => {
        const calls = inputs.map((n): ToolDeed => ({ tool: 'fan', input: { n }, output: n }));
        const moved = begins.map((index) => calls[index] as ToolDeed);
        const result = diffTraces(
          runOf([...before, { all: calls, ends }, ...after]),
          runOf([...before, { all: moved, ends: otherEnds }, ...after]),
        );
        expect(result.equivalent).toBe(true);
      }),
      RUNS,
    );
  });
});

function placesOf(steps: DiffResult['steps'], side: 'baseline' | 'candidate'): number[] {
  return steps.flatMap((step) => step[side] ?? []);
}

function mirrored(step: DiffStep): DiffStep {
  const kinds: Partial<Record<DiffStep['kind'], DiffStep['kind']>> = { added: 'removed', removed: 'added' };
  const relabelled = step.changes.find(({ path }) => path === 'label');
  return {
    ...step,
    kind: kinds[step.kind] ?? step.kind,
    label: relabelled === undefined ? step.label : (relabelled.after as string),
    baseline: step.candidate,
    candidate: step.baseline,
    baselineStep: step.candidateStep,
    candidateStep: step.baselineStep,
    changes: step.changes.map(mirroredChange),
  };
}

function mirroredChange({ path, kind, before, after }: ValueChange): ValueChange {
  const mirror = { changed: 'changed', added: 'removed', removed: 'added' } as const;
  return { path, kind: mirror[kind], before: after, after: before };
}

/** Steps in an order that does not hang on the side. */
function inOrder(steps: readonly DiffStep[]): readonly DiffStep[] {
  const rank = ({ baseline, candidate }: DiffStep): number => (baseline ?? 999) * 1000 + (candidate ?? 999);
  return [...steps].sort((x, y) => rank(x) - rank(y));
}
