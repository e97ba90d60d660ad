import { describe, expect, it } from 'vitest';
import { canonicalJson, encodeValue, fromTraceValue } from '../../src/index.js';

describe('a placeholder', () => {
  it('is a getter, of a list too, which is not run', () => {
    let reads = 0;
    const value = {
      get read(): number {
        return ++reads;
      },
      list: Object.defineProperty([1, 2], 1, { get: () => ++reads, enumerable: true }),
    };
    expect(encodeValue(value)).toMatchObject({
      json: {
        read: { $stepfork: 'unreadable' },
        list: [1, { $stepfork: 'unreadable' }],
      },
      placeholders: [
        { path: '/read', reason: 'getter' },
        { path: '/list/1', reason: 'getter' },
      ],
    });
    expect(reads).toBe(0);
  });

  it('is no property of a proxy, of which nothing could be seen otherwise, nor of an error', () => {
    const target = {
      get read(): number {
        return 1;
      },
    };
    expect(encodeValue(new Proxy(target, {})).json).toEqual({ read: 1 });
    const error = Object.defineProperty(new Error('no'), 'path', { get: () => 'a.txt', enumerable: true });
    expect(encodeValue(error)).toMatchObject({ json: { fields: { path: 'a.txt' } }, placeholders: [] });
  });

  it('is a function whose name cannot be read', () => {
    const fn = Object.defineProperty(() => 1, 'name', {
      get() {
        throw new Error('no name');
      },
    });
    expect(encodeValue({ fn }).json).toEqual({ fn: { $stepfork: 'function', name: '' } });
    expect(encodeValue(fn).json).toEqual({ $stepfork: 'function', name: '' });
  });

  it('is not half a surrogate pair in an expression or an address: those keep a form that can be written', () => {
    const sources = ['\ud800', 'a\udc00b', '[\ud800]'].map((source) => new RegExp(source));
    sources.push(/\\ud800/, /\\\ud800/);
    for (const source of sources) {
      const back = fromTraceValue(JSON.parse(canonicalJson(encodeValue(source).json))) as RegExp;
      for (const text of ['\ud800', 'a\udc00b', '\\\ud800', 'ud800']) expect(back.test(text)).toBe(source.test(text));
    }
    const address = Object.assign(Object.create({ [Symbol.toStringTag]: 'URL' }), { href: '\ud800' });
    expect(() => canonicalJson(encodeValue(address).json)).not.toThrow();
  });
});
