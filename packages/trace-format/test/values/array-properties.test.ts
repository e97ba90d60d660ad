import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeValue, fromTraceValue, type Json, parseJson, toTraceValue } from '../../src/write.js';
import { refusal } from '../support/refusal.js';

const revive = (value: unknown): unknown => fromTraceValue(parseJson(JSON.stringify(toTraceValue(value))));

/** Items and own properties as an agent can see them. */
const seen = (list: unknown): unknown => {
  const own = Object.getOwnPropertyDescriptors(list as unknown[]);
  return Object.entries(own).map(([key, { value, enumerable }]) => [key, value, enumerable]);
};

class Rows extends Array<unknown> {
  command = 'SELECT';
  count = 0;
}

describe('an array with properties of its own', () => {
  it.each<[string, unknown[]]>([
    ['a regex match', /b(?<rest>.)?/.exec('abc') as unknown[]],
    ['a match without groups', /b/.exec('abc') as unknown[]],
    ['a match with indices', /b/d.exec('abc') as unknown[]],
    ['a match of another realm', vm.runInNewContext('/b/.exec("abc")') as unknown[]],
    ['rows of a driver', Object.assign([{ id: 1 }], { count: 1, fields: [{ name: 'id' }] })],
    ['no rows', Object.assign([], { count: 0, rows: undefined })],
    ['rows of a class', Rows.from([1, 2])],
    ['rows with facts that are not listed', Object.defineProperty([1], 'count', { value: 1 }) as unknown[]],
    [
      'keys that look like others',
      Object.assign([1], { $stepfork: 'map', '01': 1, '-1': 2, '4294967295': 3, '\ud800': 4 }),
    ],
    ['a key that is no prototype', Object.defineProperty([1], '__proto__', { value: { a: 1 }, enumerable: true })],
  ])('comes back with them: %s', (_title, list) => {
    const back = revive({ list }) as { list: unknown[] };
    expect(Array.isArray(back.list)).toBe(true);
    expect(Object.getPrototypeOf(back.list)).toBe(Array.prototype);
    expect(seen(back.list)).toEqual(seen(list));
    expect(JSON.stringify(toTraceValue(back.list))).toBe(JSON.stringify(toTraceValue(list)));
  });

  it('is told apart by them, and is plain JSON without any', () => {
    expect(toTraceValue(/b/.exec('ab'))).toEqual({
      $stepfork: 'array',
      items: ['b'],
      fields: { index: 1, input: 'ab', groups: { $stepfork: 'undefined' } },
    });
    class Plain extends Array<number> {}
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    const plain = [[], [1, 2], Plain.from([1]), [, 1], Object.assign([1], { [Symbol('s')]: 1 })];
    for (const list of plain) expect(Array.isArray(toTraceValue(list))).toBe(true);
  });

  it('leaves out what hides machinery of its driver', () => {
    const rows = Object.defineProperties([1], { parse: { value: () => 1 }, columns: { value: [{ parser: () => 1 }] } });
    expect(toTraceValue(rows)).toEqual([1]);
  });

  it('names the property that cannot be stored', () => {
    expect(encodeValue({ a: Object.assign([1], { parse: () => 1 }) }).placeholders).toEqual([
      { path: '/a/parse', reason: 'function' },
    ]);
  });

  it('comes back equal, whatever they are', () => {
    const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('index', 'count', 'constructor', 'map'));
    const list = fc
      .tuple(
        fc.array(fc.jsonValue()),
        fc.array(
          fc.tuple(
            key.filter((name) => !/^(\d+|length)$/.test(name)),
            fc.jsonValue(),
          ),
        ),
      )
      .map(([items, extra]) => {
        const value = [...items];
        for (const [name, field] of extra) {
          Object.defineProperty(value, name, { value: field, enumerable: true, configurable: true });
        }
        return value;
      });
    fc.assert(
      fc.property(list, (value) => {
        expect(seen(fromTraceValue(toTraceValue(value)))).toEqual(seen(value));
      }),
    );
  });

  it.each<[string, { readonly [name: string]: Json }]>([
    ['no items', {}],
    ['items that are no list', { items: {} }],
    ['a length among its fields', { items: [], fields: { length: 4_294_967_295 } }],
    ['an item among its fields', { items: [], fields: { 4294967294: 1 } }],
    ['an item among what is hidden', { items: [], hidden: { 0: 1 } }],
    ['fields that are none', { items: [], fields: null }],
  ])('is refused with %s', (_title, parts) => {
    expect(refusal(() => fromTraceValue([{ $stepfork: 'array', ...parts }]))).toMatchObject({
      code: 'invalid_value',
      details: { path: '$[0]' },
    });
  });
});
