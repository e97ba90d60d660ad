import { Buffer } from 'node:buffer';
import { canonicalJson, encodeValue } from '@stepfork/trace-format/write';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSetLimits, withinLimit } from './limits.js';

describe('withinLimit', () => {
  it('cuts what has more bytes as JSON text than the limit, and nothing else', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), fc.integer(), (value, apart) => {
        const captured = encodeValue(value);
        const bytes = Buffer.byteLength(canonicalJson(captured.json));
        const limit = Math.max(1, bytes + (apart % 20));
        const kept = withinLimit(captured, limit);
        if (bytes <= limit) expect(kept).toBe(captured);
        else expect(kept.json).toEqual({ $stepfork: 'cut', bytes });
      }),
    );
  });
});

describe('toSetLimits', () => {
  it('has a limit for everything', () => {
    expect(toSetLimits()).toEqual({ payloadBytes: 16 * 2 ** 20, events: 1_000_000, bundleBytes: 2 ** 30 });
    expect(toSetLimits({ events: 5 })).toMatchObject({ events: 5, payloadBytes: 16 * 2 ** 20 });
  });
});
