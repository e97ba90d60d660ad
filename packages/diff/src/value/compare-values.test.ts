import { canonicalJson, formatPath, type Json, type PathSegment, parseJson } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ValueChange } from '../result.js';
import { compareValues, firstDifference } from './compare-values.js';

const RUNS = { numRuns: process.env.STEPFORK_FULL === '1' ? 20_000 : 500 };

const key = fc.constantFrom('a', 'b', 'odd key', '', '$', '0', '__proto__', '$stepfork', 'constructor');
const scalar = fc.constantFrom<Json>(null, true, false, 0, -0, 1, 1.5, 1e21, 'a', '1', 1n, 2n ** 60n, 10n ** 21n);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: false }) as fc.Arbitrary<Json>,
  ),
}));
/** Two values that are often alike. */
const two = fc.oneof(
  fc.tuple(value, value),
  fc.tuple(value, value, value).map(([x, a, b]): [Json, Json] => [
    [x, a],
    [x, b],
  ]),
);

describe('compareValues', () => {
  test('finds nothing exactly where the canonical texts are the same', () => {
    fc.assert(
      fc.property(two, ([a, b]) => {
        expect(compareValues(a, b).length === 0).toBe(canonicalJson(a) === canonicalJson(b));
        expect(compareValues(a, a)).toEqual([]);
      }),
      RUNS,
    );
  });

  test('agrees with a plain recursive comparison, paths included', () => {
    fc.assert(
      fc.property(two, ([a, b]) => {
        expect(compareValues(a, b)).toEqual(recursively(a, b, []));
      }),
      RUNS,
    );
  });

  test('mirrors its result when the sides are swapped', () => {
    fc.assert(
      fc.property(two, ([a, b]) => {
        const kinds = { changed: 'changed', added: 'removed', removed: 'added' } as const;
        const back = compareValues(b, a).map(({ path, kind, before, after }) => ({
          path,
          kind: kinds[kind],
          before: after,
          after: before,
        }));
        expect(compareValues(a, b)).toEqual(back);
      }),
      RUNS,
    );
  });

  test('compares any depth', () => {
    const deep = (leaf: Json): Json => {
      let nested = leaf;
      for (let level = 0; level < 100_000; level++) nested = [nested];
      return nested;
    };
    expect(compareValues(deep(1), deep(1))).toEqual([]);
    expect(compareValues(deep(1), deep(2))).toMatchObject([{ before: 1, after: 2 }]);
  });

  test('shows values that stand for different things whole, and looks into those that stand for the same', () => {
    const date = (value: string): Json => ({ $stepfork: 'date', value });
    const url = { $stepfork: 'url', href: 'https://example.com/' };
    expect(compareValues({ at: date('2026-01-01') }, { at: date('2026-01-02') })).toEqual([
      { path: 'at.value', kind: 'changed', before: '2026-01-01', after: '2026-01-02' },
    ]);
    expect(compareValues({ at: date('2026-01-01') }, { at: url })).toEqual([
      { path: 'at', kind: 'changed', before: date('2026-01-01'), after: url },
    ]);
  });

  test('takes `__proto__` for a key like any other', () => {
    const own = parseJson('{"__proto__":{"admin":true}}');
    expect(compareValues({}, own)).toEqual([
      { path: '__proto__', kind: 'added', before: null, after: { admin: true } },
    ]);
    expect(compareValues(own, parseJson('{"__proto__":{"admin":false}}'))).toMatchObject([{ path: '__proto__.admin' }]);
    expect(compareValues({ toString: 1 }, {})).toMatchObject([{ path: 'toString', kind: 'removed' }]);
  });
});

describe('firstDifference', () => {
  test('is the first of all', () => {
    fc.assert(
      fc.property(two, ([a, b]) => {
        expect(firstDifference(a, b)).toEqual(compareValues(a, b)[0] ?? null);
      }),
      RUNS,
    );
  });
});

type Entries = { readonly [key: string]: Json };

function recursively(a: Json, b: Json, path: readonly PathSegment[]): readonly ValueChange[] {
  const place = formatPath(path);
  if (Array.isArray(a) && Array.isArray(b)) {
    const length = Math.max(a.length, b.length);
    return Array.from({ length }, (_, at) => entry(a, b, at, path)).flat();
  }
  if (isObject(a) && isObject(b) && ownTag(a) === ownTag(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].sort().flatMap((name) => entry(a, b, name, path));
  }
  if (canonicalJson(a) === canonicalJson(b)) return [];
  return [{ path: place, kind: 'changed', before: a, after: b }];
}

function entry(a: object, b: object, name: PathSegment, path: readonly PathSegment[]): readonly ValueChange[] {
  const before = Object.getOwnPropertyDescriptor(a, name)?.value as Json | undefined;
  const after = Object.getOwnPropertyDescriptor(b, name)?.value as Json | undefined;
  const below = [...path, name];
  if (before === undefined) return [{ path: formatPath(below), kind: 'added', before: null, after: after ?? null }];
  if (after === undefined) return [{ path: formatPath(below), kind: 'removed', before, after: null }];
  return recursively(before, after, below);
}

function isObject(value: Json): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownTag(value: Entries): Json | undefined {
  return Object.getOwnPropertyDescriptor(value, '$stepfork')?.value as Json | undefined;
}
