import { encodeValue, type Json, parsePointer } from '@stepfork/trace-format/write';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesOf } from './mutation.js';

const values = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true });

describe('changesOf', () => {
  it('finds nothing where nothing was changed', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(changesOf(value, encodeValue(value).json)).toEqual([]);
      }),
    );
  });

  it('finds the one place that was changed in plain data', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(), (data, seed) => {
        const live = JSON.parse(JSON.stringify(data)) as unknown;
        const recorded = encodeValue(live).json;
        const places = leavesOf(live, '');
        fc.pre(places.length > 0);
        const [pointer, holder, key] = places[seed % places.length] as Place;
        holder[key] = holder[key] === 'changed' ? 'changed again' : 'changed';
        expect(changesOf(live, recorded)).toEqual([pointer]);
      }),
    );
  });

  it('names places as JSON Pointers', () => {
    const live = { 'a/b': [{ '~': 1 }] };
    const recorded: Json = { 'a/b': [{ '~': 2 }] };
    const [pointer = ''] = changesOf(live, recorded);
    expect(parsePointer(pointer)).toEqual(['a/b', '0', '~']);
  });

  it('finds at most a hundred places', () => {
    const live = Array.from({ length: 1_000 }, (_, n) => n);
    const recorded = encodeValue(live).json;
    live.reverse();
    expect(changesOf(live, recorded)).toHaveLength(100);
  });
});

type Place = readonly [pointer: string, holder: Record<string, unknown>, key: string];

/** Every value in plain data that holds no others. Keys that look like the tag key are left out, as they are there. */
function leavesOf(data: unknown, pointer: string): Place[] {
  if (typeof data !== 'object' || data === null) return [];
  const holder = data as Record<string, unknown>;
  return Object.keys(holder).flatMap((key): Place[] => {
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const part = holder[key];
    return typeof part === 'object' && part !== null ? leavesOf(part, at) : [[at, holder, key]];
  });
}
