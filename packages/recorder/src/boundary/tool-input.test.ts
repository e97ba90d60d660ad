import { describe, expect, it } from 'vitest';
import { toToolInput } from './tool-input.js';

describe('tool input', () => {
  it.each([
    ['nothing', [], {}],
    ['one plain object', [{ id: 1 }], { id: 1 }],
    ['one object without a prototype', [Object.assign(Object.create(null), { id: 1 })], { id: 1 }],
    ['one object that looks like a list', [{ args: 1 }], { args: [{ args: 1 }] }],
    ['one text', ['a'], { args: ['a'] }],
    ['one array', [['a']], { args: [['a']] }],
    ['a map', [new Map()], { args: [new Map()] }],
    ['several', [{ id: 1 }, 2], { args: [{ id: 1 }, 2] }],
  ])('records %s', (_what, args, expected) => {
    expect(toToolInput(args)).toEqual(expected);
  });

  it('B163 records arguments under the names of their parameters, those that were given', () => {
    expect(toToolInput(['Lisbon'], ['city', 'day'])).toEqual({ city: 'Lisbon' });
    expect(toToolInput(['Lisbon', undefined], ['city', 'day'])).toEqual({ city: 'Lisbon', day: undefined });
    expect(toToolInput([], ['city'])).toEqual({});
  });

  it('B164 records a list where there are more arguments than names', () => {
    expect(toToolInput(['Lisbon', 2], ['city'])).toEqual({ args: ['Lisbon', 2] });
  });

  it('takes a parameter by any name', () => {
    expect(Object.keys(toToolInput([1], ['__proto__']) as object)).toEqual(['__proto__']);
  });

  it('does not look into a revoked proxy', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(Object.keys(toToolInput([proxy]) as object)).toEqual(['args']);
  });
});
