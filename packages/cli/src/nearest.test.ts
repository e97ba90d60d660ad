import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.js';

describe('nearest', () => {
  const commands = ['validate', 'inspect', 'replay', 'diff', 'export', 'recover'];

  it.each([
    ['valdate', 'validate'],
    ['inpsect', 'inspect'],
    ['REPLAY', 'replay'],
    ['dif', 'diff'],
    ['exprot', 'export'],
  ])('takes %s for %s', (slip, meant) => {
    expect(nearest(slip, commands)).toBe(meant);
  });

  it('takes a word that resembles none for none', () => {
    expect(nearest('frobnicate', commands)).toBeNull();
    expect(nearest('', commands)).toBeNull();
    expect(nearest('x', [])).toBeNull();
  });
});
