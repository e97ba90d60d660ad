import { expect, it } from 'vitest';
import type { Json } from '../json.js';
import { SameValues } from './same-values.js';

/** A value that counts how often it is looked into. */
function counted(value: Json): { readonly value: Json; readonly looks: () => number } {
  let looks = 0;
  const inner = (): Json => {
    looks++;
    return value;
  };
  return { value: Object.defineProperty({}, 'inner', { enumerable: true, get: inner }) as Json, looks: () => looks };
}

it('compares a value once with one that many inputs share, and anew with another', () => {
  const same = new SameValues();
  const json = { inner: [1, 'two'] };
  const { value, looks } = counted([1, 'two']);
  const size = same.size(json, value);
  expect(size).toBeGreaterThan(0);
  expect([same.size(json, value), same.size(json, value)]).toEqual([size, size]);
  expect(looks()).toBe(1);
  expect(same.size({ inner: [1, 'three'] }, value)).toBe(-1);
  expect(looks()).toBe(2);
});
