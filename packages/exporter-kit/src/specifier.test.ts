import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importSpecifier } from './specifier.js';

const at = (...parts: string[]) => join('/project', ...parts);

describe('importSpecifier', () => {
  test.each([
    ['agent.ts', 'js', './agent.js'],
    ['agent.ts', 'none', './agent'],
    ['agent.ts', 'ts', './agent.ts'],
    ['agent.tsx', 'js', './agent.js'],
    ['agent.tsx', 'none', './agent'],
    ['agent.mts', 'js', './agent.mjs'],
    ['agent.mts', 'none', './agent.mjs'],
    ['agent.cts', 'none', './agent.cjs'],
    ['agent.cts', 'ts', './agent.cts'],
    ['agent.js', 'none', './agent.js'],
    ['agent.mjs', 'ts', './agent.mjs'],
    ['agent.buggy.ts', 'js', './agent.buggy.js'],
    ['agent.buggy.ts', 'none', './agent.buggy'],
    ['..agent.ts', 'js', './..agent.js'],
  ] as const)('%s with suffix %s is %s', (file, suffix, specifier) => {
    expect(importSpecifier(at(), at(file), suffix)).toBe(specifier);
  });

  test('B257 a path upward stays relative, however far', () => {
    expect(importSpecifier(at('a', 'b', 'c', 'd', 'e'), at('src', 'agent.ts'), 'js')).toBe(
      '../../../../../src/agent.js',
    );
  });
});
