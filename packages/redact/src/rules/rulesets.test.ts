import { describe, expect, it } from 'vitest';
import { createRedactor } from '../index.js';

describe('a built-in ruleset', () => {
  it.each([
    ['default', 'd6ddc656d2382ebef3aee60121c80447ede367e6fde9da4a0e37f43314b38687'],
    ['0.1', '648e1e2fb50b2d920f879bdf116b21855bae8a7ca8ae568d0ba7c3a65b2a80fd'],
  ] as const)('has the fingerprint that recordings made so far name: %s', (ruleset, fingerprint) => {
    // A rule that redacts more or less must change it, so that a replay of such a recording says so.
    expect(createRedactor({ ruleset }).fingerprint).toBe(fingerprint);
  });
});
