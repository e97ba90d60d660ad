import { describe, expect, it } from 'vitest';
import { shareOf } from './descriptors.js';

describe('the descriptors that recordings hold', () => {
  it.each([
    [null, 16],
    [24, 2],
    [160, 10],
    [1024, 64],
    [1_048_576, 64],
  ])('of a limit of %s are %s', (limit, share) => {
    expect(shareOf(limit)).toBe(share);
  });
});
