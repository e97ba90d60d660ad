import { describe, expect, it } from 'vitest';
import { createRedactor } from '../index.js';

describe('a built-in ruleset', () => {
  it.each([
    ['default', '768616348cb7230c44a6a79dbe29871d6fd245056086cacd70691f4e2bd4369d'],
    ['0.1', '648e1e2fb50b2d920f879bdf116b21855bae8a7ca8ae568d0ba7c3a65b2a80fd'],
  ] as const)('has the fingerprint that recordings made so far name: %s', (ruleset, fingerprint) => {
    // A rule that redacts more or less must change it, so that a replay of such a recording says so.
    expect(createRedactor({ ruleset }).fingerprint).toBe(fingerprint);
  });
});
