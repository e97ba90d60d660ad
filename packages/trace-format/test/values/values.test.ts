import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  encodeValue,
  findUnservable,
  fromTraceValue,
  type Json,
  parseJson,
  toTraceValue,
} from '../../src/write.js';
import { refusal } from '../support/refusal.js';

/** There and back, through the text that stands in a bundle. */
function roundTrip(value: unknown): unknown {
  return fromTraceValue(parseJson(canonicalJson(toTraceValue(value))));
}

const encoded = (value: unknown): string => canonicalJson(toTraceValue(value));

describe('values that JSON has no form for', () => {
  it.each<[string, unknown, string]>([
    ['undefined', undefined, '{"$stepfork":"undefined"}'],
    ['B109 NaN', Number.NaN, '{"$stepfork":"number","value":"NaN"}'],
    ['B109 Infinity', Number.POSITIVE_INFINITY, '{"$stepfork":"number","value":"Infinity"}'],
    ['B109 -Infinity', Number.NEGATIVE_INFINITY, '{"$stepfork":"number","value":"-Infinity"}'],
    ['-0', -0, '-0.0'],
    ['a bigint', 2n ** 64n, '{"$stepfork":"bigint","value":"18446744073709551616"}'],
    ['a small bigint', -1n, '{"$stepfork":"bigint","value":"-1"}'],
    ['a date', new Date(0), '{"$stepfork":"date","value":"1970-01-01T00:00:00.000Z"}'],
    ['an invalid date', new Date(Number.NaN), '{"$stepfork":"date","value":null}'],
    ['a regular expression', /a\/b/giu, '{"$stepfork":"regexp","flags":"giu","source":"a\\\\/b"}'],
    ['a URL', new URL('https://example.org/a?b#c'), '{"$stepfork":"url","href":"https://example.org/a?b#c"}'],
    ['a lone surrogate', 'a\ud800"', '{"$stepfork":"string","escaped":"a\\\\ud800\\\\\\""}'],
    ['B110 a map', new Map<unknown, unknown>([[1, { a: 2 }]]), '{"$stepfork":"map","entries":[[1,{"a":2}]]}'],
    ['B111 a set', new Set([1, 'a']), '{"$stepfork":"set","values":[1,"a"]}'],
    ['bytes', new Uint8Array([1, 2, 255]), '{"$stepfork":"bytes","base64":"AQL/","kind":"Uint8Array"}'],
    ['a Buffer', Buffer.from('hi'), '{"$stepfork":"bytes","base64":"aGk=","kind":"Buffer"}'],
    ['floats', new Float32Array([1.5, -2]), '{"$stepfork":"bytes","base64":"AADAPwAAAMA=","kind":"Float32Array"}'],
    ['a user key that looks like a tag', { $stepfork: 1, $$stepfork: 2 }, '{"$$$stepfork":2,"$$stepfork":1}'],
  ])('come back equal: %s', (_title, value, text) => {
    expect(encoded(value)).toBe(text);
    expect(roundTrip(value)).toStrictEqual(value);
    expect(roundTrip([{ value }])).toStrictEqual([{ value }]);
  });

  it('keep undefined properties, holes as undefined, and the order of maps and sets', () => {
    expect(roundTrip({ a: undefined, b: [undefined] })).toStrictEqual({ a: undefined, b: [undefined] });
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    expect(roundTrip([, 1])).toStrictEqual([undefined, 1]);
    expect([
      ...(
        roundTrip(
          new Map([
            ['b', 1],
            ['a', 2],
          ]),
        ) as Map<string, number>
      ).keys(),
    ]).toEqual(['b', 'a']);
  });

  it('keep every kind of binary data', () => {
    const buffer = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer;
    const views = [
      ...[new Int8Array(buffer), new Uint8Array(buffer), new Uint8ClampedArray(buffer), new DataView(buffer)],
      ...[new Int16Array(buffer), new Uint16Array(buffer), new Int32Array(buffer), new Uint32Array(buffer)],
      ...[new Float32Array(buffer), new Float64Array(buffer)],
      ...[new BigInt64Array(buffer), new BigUint64Array(buffer)],
    ];
    for (const value of [buffer, ...views]) expect(roundTrip(value)).toStrictEqual(value);
    expect(roundTrip(new Uint8Array(buffer, 2, 3))).toStrictEqual(new Uint8Array([3, 4, 5]));
    const shared = new SharedArrayBuffer(2);
    expect(Object.prototype.toString.call(roundTrip(shared))).toBe('[object SharedArrayBuffer]');
  });

  it('keep the state of an AbortSignal', () => {
    expect((roundTrip(new AbortController().signal) as AbortSignal).aborted).toBe(false);
    const aborted = roundTrip(AbortSignal.abort(new TypeError('stop'))) as AbortSignal;
    expect(aborted.aborted).toBe(true);
    expect(aborted.reason).toMatchObject({ name: 'TypeError', message: 'stop' });
  });

  it('come back equal, whatever they are made of', () => {
    const key = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('$stepfork', '$$stepfork', '__proto__', 'constructor', '\ud800'),
    );
    const values = fc.anything({
      ...{ key, stringUnit: 'binary', withBigInt: true, withDate: true, withMap: true, withSet: true },
      ...{ withNullPrototype: true, withTypedArray: true, withSparseArray: true },
    });
    fc.assert(
      fc.property(values, (value) => {
        expect(roundTrip(value)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('are told apart by what they are, not by their realm', () => {
    const foreign = vm.runInNewContext(
      '({ d: new Date(5), m: new Map([[1, 2]]), e: new RangeError("r"), r: /x/, u: new Uint8Array([7]), o: {}, a: [1] })',
    ) as object;
    const { json, placeholders } = encodeValue(foreign);
    expect(placeholders).toEqual([]);
    expect(fromTraceValue(json)).toMatchObject({ d: new Date(5), m: new Map([[1, 2]]), o: {}, a: [1] });
    expect(fromTraceValue(json)).toMatchObject({
      e: { name: 'RangeError', message: 'r' },
      r: /x/,
      u: new Uint8Array([7]),
    });
  });
});

describe('errors', () => {
  it('keep class, name, message, code, status, cause and own fields', () => {
    const error = Object.assign(new TypeError('bad', { cause: new RangeError('deeper') }), {
      code: 'E_BAD',
      status: 429,
      headers: { 'retry-after': '1' },
    });
    const back = roundTrip(error) as typeof error;
    expect(Object.prototype.toString.call(back)).toBe('[object Error]');
    expect(Object.getPrototypeOf(back)).toBe(TypeError.prototype);
    expect(back).toMatchObject({ message: 'bad', code: 'E_BAD', status: 429, headers: { 'retry-after': '1' } });
    expect(back.cause).toMatchObject({ name: 'RangeError', message: 'deeper' });
    expect(Object.keys(back).sort()).toEqual(['code', 'headers', 'status']);
  });

  it('keep the name of a class that cannot be rebuilt', () => {
    class RateLimitError extends Error {
      override name = 'RateLimitError';
      retryAfter = 3;
    }
    class Unnamed extends Error {}
    expect(roundTrip(new RateLimitError('slow'))).toMatchObject({
      name: 'RateLimitError',
      message: 'slow',
      retryAfter: 3,
    });
    expect(toTraceValue(new Unnamed('x'))).toMatchObject({ $stepfork: 'error', name: 'Error', class: 'Unnamed' });
  });

  it('keep AbortError as the DOMException it is, and the errors of an AggregateError', () => {
    const abort = roundTrip(new DOMException('gone', 'AbortError')) as DOMException;
    expect([abort.name, abort.message, abort.code]).toEqual(['AbortError', 'gone', 20]);
    expect(Object.prototype.toString.call(abort)).toBe('[object DOMException]');
    const all = roundTrip(new AggregateError([new Error('one')], 'all')) as AggregateError;
    expect(all.errors).toMatchObject([{ message: 'one' }]);
  });

  it('keep what a class lists among its own fields', () => {
    const error = Object.assign(new Error('many'), { errors: [{ path: '/a' }], cause: undefined });
    const back = roundTrip(error) as typeof error;
    expect(Object.keys(back).sort()).toEqual(['cause', 'errors']);
    expect(back.errors).toEqual([{ path: '/a' }]);
    expect(roundTrip(new Error('x', { cause: undefined }))).toHaveProperty('cause', undefined);
  });

  it('hold no stack, which speaks of one machine', () => {
    expect(encoded(new Error('x'))).not.toContain('values.test');
  });
});

describe('what cannot be stored', () => {
  class Decimal {
    digits = '12';
  }

  it('B111 B115 B116 is refused with its path and reason, never printed', () => {
    const cases: [unknown, string, string][] = [
      [{ a: [{ b: new Decimal() }] }, '$.a[0].b', 'class Decimal'],
      [[() => 1], '$[0]', 'function'],
      [{ 'odd key': Symbol('s') }, '$["odd key"]', 'symbol'],
      [new Map([['k', new Decimal()]]), '$.k', 'class Decimal'],
    ];
    for (const [value, path, reason] of cases) {
      const refused = refusal(() => toTraceValue(value));
      expect(refused).toMatchObject({ code: 'unserializable', details: { path, reason } });
      expect(refused?.message).toContain(`${path} cannot be stored in a trace (${reason})`);
    }
  });

  it('becomes a placeholder that names it, and the rest is kept', () => {
    const value: Record<string, unknown> = { a: [() => 1], b: Symbol('s'), c: new Decimal(), d: 1 };
    value.e = { f: value };
    const { json, placeholders } = encodeValue(value);
    expect(placeholders).toEqual([
      { path: '/a/0', reason: 'function' },
      { path: '/b', reason: 'symbol' },
      { path: '/c', reason: 'class Decimal' },
      { path: '/e/f', reason: 'cycle' },
    ]);
    expect(json).toMatchObject({ c: { $stepfork: 'instance', class: 'Decimal', fields: { digits: '12' } }, d: 1 });
    expect(findUnservable(json)).toBe('$.a[0]');
    expect(findUnservable({ a: [1, { b: { $stepfork: 'date', value: null } }] })).toBeNull();
    expect(refusal(() => fromTraceValue(json))).toMatchObject({ code: 'unservable', details: { path: '$.a[0]' } });
  });

  it('is not given back where it was cut from a recording because of its size', () => {
    const json = { report: { $stepfork: 'cut', bytes: 70_000_000 } };
    expect(findUnservable(json)).toBe('$.report');
    expect(refusal(() => fromTraceValue(json))).toMatchObject({ code: 'unservable', details: { path: '$.report' } });
  });

  it('B114 is nesting deeper than 100; 100 is fine', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(refusal(() => toTraceValue(nested(101)))).toBeNull();
    expect(refusal(() => toTraceValue(nested(102)))).toMatchObject({ code: 'unserializable' });
    expect(encodeValue(nested(5000)).placeholders).toHaveLength(1);
  });

  it('is a proxy that fails, which never throws through', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw null;
        },
      },
    );
    expect(encodeValue({ a: proxy, b: hostile }).placeholders.map(({ path }) => path)).toEqual(['/a', '/b']);
  });

  it('says little of an instance that reaches half the program', () => {
    class Node {
      children: Node[] = [];
    }
    const grow = (depth: number): Node => {
      const node = new Node();
      if (depth > 0) for (let i = 0; i < 6; i++) node.children.push(grow(depth - 1));
      return node;
    };
    const { json, placeholders } = encodeValue({ client: grow(6), after: [1, 2] });
    expect(placeholders).toEqual([{ path: '/client', reason: 'class Node' }]);
    expect(canonicalJson(json).length).toBeLessThan(200_000);
    expect(json).toMatchObject({ after: [1, 2] });
  });

  it('is what a serializer throws at', () => {
    const serializer = (): never => {
      throw new Error('no');
    };
    expect(encodeValue({ a: [() => 1], b: 2 }, { serializer })).toMatchObject({
      json: { a: [{ $stepfork: 'function' }], b: 2 },
      placeholders: [{ path: '/a/0', reason: 'function, and the serializer threw' }],
    });
  });

  it('is the rest of a value with more than two million parts, wherever the count ends', () => {
    const many = new Array(2_000_001).fill(0);
    for (const value of [{ a: many, b: 1 }, [many, new Map([[1, 2]])]]) {
      const { json, placeholders } = encodeValue(value);
      expect(placeholders.length).toBeGreaterThan(0);
      expect(placeholders[0]?.reason).toBe('too many values');
      expect(findUnservable(json)).not.toBeNull();
    }
  });

  it('is named in text that can be written', () => {
    const value = { '\ud800': () => 1, b: Symbol('\udc00') };
    const { json, placeholders } = encodeValue(value);
    expect(canonicalJson([json, ...placeholders.map(({ path, reason }) => [path, reason])])).toContain('\ufffd');
  });

  it('never makes encodeValue throw, nor its JSON impossible to write', () => {
    const values = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withBoxedValues: true,
    });
    fc.assert(fc.property(values, (value) => canonicalJson(encodeValue({ value, f: parseInt }).json).length > 0));
  });
});

describe('a serializer', () => {
  class Money {
    constructor(readonly cents: number) {}
  }
  const serializer = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'cents' in value ? { cents: value.cents } : value;

  it('B112 is asked only about what cannot be stored, and its answer is encoded in turn', () => {
    const asked: unknown[] = [];
    const json = toTraceValue(
      { a: 1, b: new Date(0), c: new Money(5) },
      {
        serializer: (value) => {
          asked.push(value);
          return { at: new Date(1), nested: serializer(value) };
        },
      },
    );
    expect(asked).toEqual([new Money(5)]);
    expect(fromTraceValue(json)).toEqual({ a: 1, b: new Date(0), c: { at: new Date(1), nested: { cents: 5 } } });
  });

  it('B113 that returns the same value declines', () => {
    expect(refusal(() => toTraceValue([() => 1], { serializer }))).toMatchObject({
      code: 'unserializable',
      details: { path: '$[0]', reason: 'function, unchanged by the serializer' },
    });
  });

  it('B114 cannot go on for ever', () => {
    const endless = { serializer: () => new Money(1) };
    expect(refusal(() => toTraceValue(new Money(0), endless))?.code).toBe('unserializable');
  });
});

describe('decoding', () => {
  it.each<[string, Json]>([
    ['an unknown tag', { $stepfork: 'future' }],
    ['a bigint of letters', { $stepfork: 'bigint', value: '1e3' }],
    ['an unheard-of number', { $stepfork: 'number', value: '__proto__' }],
    ['a date that is none', { $stepfork: 'date', value: 'soon' }],
    ['a date without its value', { $stepfork: 'date' }],
    ['a pattern that is none', { $stepfork: 'regexp', source: '(', flags: '' }],
    ['a URL that is none', { $stepfork: 'url', href: 'nowhere' }],
    ['bytes that do not fit their kind', { $stepfork: 'bytes', kind: 'Float64Array', base64: 'AQ==' }],
    ['bytes of an unknown kind', { $stepfork: 'bytes', kind: 'constructor', base64: '' }],
    ['bytes that are not base64', { $stepfork: 'bytes', kind: 'Buffer', base64: '!' }],
    ['a map of singles', { $stepfork: 'map', entries: [[1]] }],
    ['a set without values', { $stepfork: 'set' }],
    ['an escape that is none', { $stepfork: 'string', escaped: '"' }],
    ['an object keyed by numbers', { $stepfork: 'object', entries: [[1, 2]] }],
    ['an error without a message', { $stepfork: 'error', name: 'E' }],
    ['a signal that is neither', { $stepfork: 'abort-signal', aborted: 'perhaps' }],
  ])('refuses %s with its path', (_title, json) => {
    expect(refusal(() => fromTraceValue({ a: [json] }))).toMatchObject({
      code: 'invalid_value',
      details: { path: '$.a[0]' },
    });
  });

  it('leaves alone what another writer put under the tag key', () => {
    expect(fromTraceValue({ $stepfork: 5, a: { $stepfork: null } })).toEqual({ $stepfork: 5, a: { $stepfork: null } });
  });

  it('changes no prototype', () => {
    const json = parseJson(
      '{"__proto__":{"polluted":1},"e":{"$stepfork":"error","name":"E","message":"m","fields":{"__proto__":{"polluted":1}}}}',
    );
    const value = fromTraceValue(json) as { e: Error };
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(Object.getPrototypeOf(value.e))).toBe(Error.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((value.e as unknown as Record<string, unknown>).polluted).toBeUndefined();
  });
});
