import { describe, expect, it } from 'vitest';
import { equalUnderRedaction } from './under-redaction.js';

describe('equalUnderRedaction', () => {
  it.each([
    ['[REDACTED]', 'anything'],
    ['[REDACTED]', { even: 'an object' }],
    ['Bearer [REDACTED] and [REDACTED].', 'Bearer abc and def.'],
    [{ a: ['[REDACTED]', 1] }, { a: ['x', 1] }],
  ])('takes %j for %j', (recorded, live) => {
    expect(equalUnderRedaction(recorded, live)).toBe(true);
  });

  it.each([
    ['Bearer [REDACTED].', 'Basic abc.'],
    ['a[REDACTED]b', 'ab!'],
    ['ab[REDACTED]ba', 'aba'],
    ['x [REDACTED] y [REDACTED] z', 'x 1 2 z'],
    [{ a: '[REDACTED]' }, { a: 'x', b: 1 }],
    [{ a: '[REDACTED]' }, { b: 'x' }],
    [['[REDACTED]'], []],
    [1, '1'],
    [{ a: 1 }, [1]],
  ])('does not take %j for %j', (recorded, live) => {
    expect(equalUnderRedaction(recorded, live)).toBe(false);
  });
});
