import { deepStrictEqual } from 'node:assert';
import { runInThisContext } from 'node:vm';
import type { Json } from '@stepfork/trace-format';
import { isStepforkError, parseJson } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyJson, runs } from '../../test/json-arbitrary.js';
import { literal } from './literal.js';

const evaluated = (source: string): unknown => runInThisContext(`(${source})`);

/** What a literal of any other value than JSON is refused with. */
function refusal(value: unknown): string {
  try {
    literal(value as Json);
  } catch (error) {
    if (isStepforkError(error, 'not_a_literal')) return error.message;
  }
  return 'not refused';
}

describe('literal', () => {
  test('any JSON value evaluates to itself, in sloppy and in strict code', () => {
    fc.assert(
      fc.property(anyJson, fc.nat(8), (value, indent) => {
        const source = literal(value, indent);
        deepStrictEqual(evaluated(source), value);
        deepStrictEqual(runInThisContext(`'use strict';(${source})`), value);
      }),
      { numRuns: runs(5_000) },
    );
  });

  test('what can stand in a source file is printable, whatever the value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const source = literal(value);
        expect(source).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(source).not.toMatch(/<\/|<!|@(?:vitest|jest)-environment|@module-tag|sourceMappingURL=/);
      }),
      { numRuns: runs(5_000) },
    );
  });

  test('a key __proto__ is a property and sets no prototype', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"a":1}') as Json;
    const source = literal(value);
    expect(source).toBe("{ ['__proto__']: { polluted: true }, a: 1 }");
    const back = evaluated(source) as Record<string, unknown>;
    expect(Object.keys(back)).toEqual(['__proto__', 'a']);
    expect(back.polluted).toBeUndefined();
  });

  test.each<[string, Json]>([
    ['-0', -0],
    ['0', 0],
    ['-1.5e-7', -1.5e-7],
    ['9007199254740993n', 9007199254740993n],
    ['-1n', -1n],
    [`"it's"`, "it's"],
    [`'say "hi"'`, 'say "hi"'],
    [`'\\'"'`, `'"`],
    ["'a\\u2028b'", 'a\u2028b'],
    ["'\\ud800'", '\ud800'],
    ["'`$" + "{1}`*/'", '`$' + '{1}`*/'],
    ["'\\u003c/script>'", '</script>'],
    ["'\\\\u0041'", '\\u0041'],
    ["{ $stepfork: 'date', value: null }", { $stepfork: 'date', value: null }],
    ["{ '3': 4, 'a-b': 1, b_: 2 }", { 'a-b': 1, b_: 2, 3: 4 }],
    ['[]', []],
    ['{}', {}],
  ])('%s is how its value is written', (source, value) => {
    expect(literal(value)).toBe(source);
    deepStrictEqual(evaluated(source), value);
  });

  test('a container breaks when its line would pass 80 columns', () => {
    const value = { first: 'a'.repeat(30), second: 'b'.repeat(24) };
    const oneLine = `{ first: '${value.first}', second: '${value.second}' }`;
    // With the semicolon that follows.
    expect(oneLine).toHaveLength(79);
    expect(literal(value, 0, 0)).toBe(oneLine);
    expect(literal(value, 0, 1)).toBe(`{\n  first: '${value.first}',\n  second: '${value.second}',\n}`);
    expect(literal([value], 4)).toBe(
      `[\n      {\n        first: '${value.first}',\n        second: '${value.second}',\n      },\n    ]`,
    );
  });

  test('a list of records gives each a line', () => {
    const flights = [
      { id: 'A', price: 450 },
      { id: 'B', price: 320 },
    ];
    expect(literal(flights)).toBe("[\n  { id: 'A', price: 450 },\n  { id: 'B', price: 320 },\n]");
  });

  test('many numbers fill lines', () => {
    const lines = literal(Array.from({ length: 100 }, (_, index) => index)).split('\n');
    expect(lines.length).toBeLessThan(10);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('a string of 10 MB and nesting of 900 levels are written and evaluate', () => {
    const long = `${'x'.repeat(63)}\u2028`.repeat(160 * 1024);
    expect(evaluated(literal({ long })) as { long: string }).toEqual({ long });
    const deep = parseJson(`${'['.repeat(900)}1${']'.repeat(900)}`);
    deepStrictEqual(evaluated(literal(deep)), deep);
  });

  test('what is not JSON is refused by its path', () => {
    expect(refusal({ a: [1, Number.NaN] })).toContain('NaN at $.a[1]');
    expect(refusal({ a: undefined })).toContain('undefined at $.a');
    expect(refusal([() => 1])).toContain('function at $[0]');
    expect(refusal({ when: new Date(0) })).toContain('not plain data at $.when');
    expect(refusal(new Array(1))).toContain('undefined at $[0]');
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level += 1) deep = [deep];
    expect(refusal(deep)).toContain('nested deeper than 1000 levels');
  });
});
