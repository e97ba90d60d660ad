import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { describeThrown } from './thrown.js';

class RateLimitError extends Error {
  override name = 'RateLimitError';
}

describe('a thrown value as text', () => {
  it.each<[string, unknown, string, string]>([
    ['an error', new RangeError('too far'), 'RangeError', 'too far'],
    ['an error of a class', new RateLimitError('slow down'), 'RateLimitError', 'slow down'],
    ['an error of another realm', runInNewContext("new TypeError('odd')"), 'TypeError', 'odd'],
    ['an object with a message', { message: 'plain' }, 'Object', 'plain'],
    ['an object', { status: 500 }, 'Object', '{"status":500}'],
    ['an object without a prototype', Object.create(null), 'Object', '{}'],
    ['a text', 'oops', 'string', 'oops'],
    ['an empty text', '', 'string', 'string'],
    ['a number', 42, 'number', '42'],
    ['undefined', undefined, 'undefined', 'undefined'],
    ['null', null, 'null', 'null'],
    ['a symbol', Symbol('s'), 'symbol', 'Symbol(s)'],
    ['half a surrogate pair', new Error('\ud800'), 'Error', '\ufffd'],
  ])('names %s', (_what, thrown, type, message) => {
    expect(describeThrown(thrown)).toEqual({ type, message });
  });

  it('B156 calls an error without a message by its name', () => {
    expect(describeThrown(new RangeError())).toEqual({ type: 'RangeError', message: 'RangeError' });
  });

  it('survives an object that throws when it is looked at', () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error('no');
        },
        ownKeys() {
          throw new Error('no');
        },
      },
    );
    expect(describeThrown(hostile)).toEqual({ type: 'Object', message: 'Object' });
  });
});
