import { Duplex, Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { streamKind } from './stream-kind.js';

describe('stream kind', () => {
  it.each<[string, unknown, string | null]>([
    ['a generator', (function* () {})(), 'generator'],
    ['an iterator', [1].values(), 'generator'],
    ['an async generator', (async function* () {})(), 'async-generator'],
    ['an async iterator', { async next() {}, async return() {}, [Symbol.asyncIterator]() {} }, 'async-generator'],
    ['an async iterable with members', { abort: () => {}, async *[Symbol.asyncIterator]() {} }, 'async-iterable'],
    ["a database's cursor", { async next() {}, async *[Symbol.asyncIterator]() {} }, 'async-iterable'],
    ['a web stream', new ReadableStream(), 'web'],
    ['a Node stream', Readable.from([]), 'node'],
    ['a Node stream that is both', new Duplex(), 'node'],
    ['a Node stream to write to', new Writable(), null],
    ['an array', [1], null],
    ['a map', new Map(), null],
    ['a text', 'text', null],
    ['null', null, null],
  ])('tells %s', (_what, value, kind) => {
    expect(streamKind(value)).toBe(kind);
  });

  it('touches no proxy', () => {
    const touched: string[] = [];
    const handler = new Proxy({}, { get: (_target, trap) => touched.push(String(trap)) });
    expect(streamKind(new Proxy({}, handler))).toBeNull();
    expect(touched).toEqual([]);
  });

  it('runs no getter', () => {
    const result = {
      get getReader(): never {
        throw new Error('started');
      },
    };
    expect(streamKind(result)).toBeNull();
  });
});
