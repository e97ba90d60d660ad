import { describe, expect, it } from 'vitest';
import { createRedactor } from '../index.js';

describe('a built-in ruleset', () => {
  it.each([
    ['default', 'b0a6c1984ddd85b1cb2c3594c5b78e3fde2fa065d1dde094850dfd8d37a40883'],
    ['0.1', '648e1e2fb50b2d920f879bdf116b21855bae8a7ca8ae568d0ba7c3a65b2a80fd'],
  ] as const)('has the fingerprint that recordings made so far name: %s', (ruleset, fingerprint) => {
    // A rule that redacts more or less must change it, so that a replay of such a recording says so.
    expect(createRedactor({ ruleset }).fingerprint).toBe(fingerprint);
  });
});
