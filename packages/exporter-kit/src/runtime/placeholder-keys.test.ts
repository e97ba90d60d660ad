import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { givePlaceholderKeys, PLACEHOLDER_KEY } from './placeholder-keys.js';

describe('givePlaceholderKeys', () => {
  beforeEach(() => {
    for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY']) vi.stubEnv(name, undefined);
  });
  afterEach(() => vi.unstubAllEnvs());

  test('gives one where none is set', () => {
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    givePlaceholderKeys();
    expect(process.env.OPENAI_API_KEY).toBe(PLACEHOLDER_KEY);
    expect(process.env.ANTHROPIC_API_KEY).toBe(PLACEHOLDER_KEY);
  });

  test("leaves a person's own key, under whichever of its names", () => {
    vi.stubEnv('OPENAI_API_KEY', 'mine');
    vi.stubEnv('GOOGLE_API_KEY', 'mine');
    givePlaceholderKeys();
    expect(process.env.OPENAI_API_KEY).toBe('mine');
    expect(process.env.GEMINI_API_KEY).toBeUndefined();
  });
});
