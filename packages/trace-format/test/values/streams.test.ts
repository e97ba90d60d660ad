import { describe, expect, it } from 'vitest';
import { findUnservable, fromTraceValue, type Json, STREAM_TAG, streamOf, toTraceValue } from '../../src/write.js';
import { refusal } from '../support/refusal.js';

const stream = (change: { readonly [name: string]: Json } = {}): { readonly [name: string]: Json } => ({
  ...{ $stepfork: STREAM_TAG, kind: 'web', end: 'complete', chunks: ['a', { $stepfork: 'bigint', value: '1' }] },
  ...change,
});

describe('a recorded stream', () => {
  it('is told with its chunks, and a return value where there is one', () => {
    const { $stepfork: _tag, ...value } = stream();
    expect(streamOf(stream())).toEqual(value);
    expect(streamOf(stream({ end: 'cancelled', returned: null }))).toEqual({
      ...value,
      ...{ end: 'cancelled', returned: null },
    });
  });

  it.each<[string, Json]>([
    ['plain data', { kind: 'web', end: 'complete', chunks: [] }],
    ['text', 'stream'],
    ['another tag', stream({ $stepfork: 'set' })],
    ['an unknown kind', stream({ kind: 'pipe' })],
    ['a kind named as what objects have', stream({ kind: 'constructor' })],
    ['an unknown end', stream({ end: 'error' })],
    ['chunks that are no list', stream({ chunks: {} })],
    ["a user's object with such a key", toTraceValue(stream())],
  ])('is not %s', (_title, json) => {
    expect(streamOf(json)).toBe(null);
  });

  it('is no value that could be given back, wherever it stands', () => {
    expect(refusal(() => fromTraceValue({ a: [stream()] }))).toMatchObject({
      code: 'unservable',
      message: '$.a[0] holds a stream, which is given back by a replay only',
      details: { path: '$.a[0]', tag: 'stream' },
    });
  });

  it('is servable unless a placeholder stands in a chunk', () => {
    expect(findUnservable(stream())).toBe(null);
    expect(findUnservable(stream({ chunks: [1, [{ $stepfork: 'function', name: 'f' }]] }))).toBe('$.chunks[1][0]');
  });

  it("leaves a user's own object of that look what it is", () => {
    expect(fromTraceValue(toTraceValue(stream()))).toEqual(stream());
  });
});
