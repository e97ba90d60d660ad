import type { Json } from '@stepfork/trace-format/write';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLeaves, writtenPlaces } from './json-leaves.js';

/** The strings of a value that are no keys. */
function leavesOf(value: unknown, path: readonly (string | number)[] = []): readonly unknown[] {
  if (typeof value === 'string') return [{ path, says: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

describe('the strings in JSON text', () => {
  it('are those of the value, with their paths', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(3), (json, indent) => {
        const value = JSON.parse(json) as Json;
        const text = JSON.stringify(value, null, indent);
        const found = jsonLeaves(text).map(({ path, from, to }) => ({
          path,
          says: JSON.parse(`"${text.slice(from, to)}"`),
        }));
        expect(found).toEqual(leavesOf(value));
      }),
      { seed: 32 },
    );
  });

  it('are passed over below a depth', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}"a"${']'.repeat(depth)}`;
    expect(jsonLeaves(nested(64))).toHaveLength(1);
    expect(jsonLeaves(nested(65))).toEqual([]);
  });
});

describe('places in what a string says', () => {
  it('are found where it is written', () => {
    const text = 'a"\\\n\u0001é';
    const written = JSON.stringify(text).slice(1, -1);
    const places = writtenPlaces(written, [0, 1, 2, 3, 4, 5, 6]);
    expect(places).toEqual([0, 1, 3, 5, 7, 13, 14]);
  });
});
