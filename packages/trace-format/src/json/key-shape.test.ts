import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sortKeys } from './key-order.js';

let keyShapeOf: typeof import('./key-shape.js').keyShapeOf;

// Other tests of the process may have filled its memory.
beforeEach(async () => {
  vi.resetModules();
  ({ keyShapeOf } = await import('./key-shape.js'));
});

const key = fc.oneof(fc.constantFrom('a', 'b', 'c', 'a\nb', '', '__proto__', '\ue000', '😀'), fc.string());
const keys = fc.uniqueArray(key, { maxLength: 80 });

describe('key shapes', () => {
  it('hold the keys as they are, and sorted', () => {
    fc.assert(
      fc.property(keys, (list) => {
        const shape = keyShapeOf(list);
        expect(shape.keys).toEqual(list);
        expect(shape.sorted).toEqual(sortKeys([...list]));
        expect(shape.sorted === shape.keys).toBe(shape.sorted.every((each, index) => each === list[index]));
      }),
    );
  });

  it('are the same for the same keys in the same order, and for no others', () => {
    expect(keyShapeOf(['x', 'y'])).toBe(keyShapeOf(['x', 'y']));
    expect(keyShapeOf(['x', 'y'])).not.toBe(keyShapeOf(['y', 'x']));
    expect(keyShapeOf(['x', 'y'])).not.toBe(keyShapeOf(['x']));
    expect(keyShapeOf(['x\ny'])).not.toBe(keyShapeOf(['x', 'y']));
  });

  it('are not remembered without end', () => {
    for (let i = 0; i < 30_000; i++) keyShapeOf([`id-${i}`, 'value']);
    expect(keyShapeOf(['id-29999', 'value'])).not.toBe(keyShapeOf(['id-29999', 'value']));
    expect(keyShapeOf(['id-29999', 'value'])).toEqual({ keys: ['id-29999', 'value'], sorted: ['id-29999', 'value'] });
  });
});
