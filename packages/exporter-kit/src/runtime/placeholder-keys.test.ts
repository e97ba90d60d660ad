import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  test('gives none to a client of Azure that is given a token', () => {
    vi.stubEnv('AZURE_OPENAI_API_KEY', undefined);
    const project = mkdtempSync(join(tmpdir(), 'stepfork-keys-'));
    const identity = join(project, 'node_modules', '@azure', 'identity');
    mkdirSync(identity, { recursive: true });
    writeFileSync(join(identity, 'package.json'), '{ "name": "@azure/identity", "main": "index.js" }');
    writeFileSync(join(identity, 'index.js'), '');
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project);
    givePlaceholderKeys();
    expect(process.env.AZURE_OPENAI_API_KEY).toBeUndefined();
    cwd.mockRestore();
    givePlaceholderKeys();
    expect(process.env.AZURE_OPENAI_API_KEY).toBe(PLACEHOLDER_KEY);
    rmSync(project, { recursive: true });
  });

  test("leaves a person's own key, under whichever of its names", () => {
    vi.stubEnv('OPENAI_API_KEY', 'mine');
    vi.stubEnv('GOOGLE_API_KEY', 'mine');
    givePlaceholderKeys();
    expect(process.env.OPENAI_API_KEY).toBe('mine');
    expect(process.env.GEMINI_API_KEY).toBeUndefined();
  });
});
