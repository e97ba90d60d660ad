import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { streamKind } from './stream-kind.js';

describe('stream kind', () => {
  it.each<[string, unknown, string | null]>([
    ['a generator', (function* () {})(), 'Generator'],
    ['an async generator', (async function* () {})(), 'AsyncGenerator'],
    ['a web stream', new ReadableStream(), 'ReadableStream'],
    ['a Node stream', Readable.from([]), 'Readable'],
    ['an async iterable with members', { abort: () => {}, async *[Symbol.asyncIterator]() {} }, 'AsyncIterable'],
    ['an iterator', [1].values(), 'Iterator'],
    ['an array', [1], null],
    ['a map', new Map(), null],
    ['a text', 'text', null],
    ['null', null, null],
  ])('tells %s', (_what, value, kind) => {
    expect(streamKind(value)).toBe(kind);
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
