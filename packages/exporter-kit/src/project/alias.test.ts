import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveAlias } from './alias.js';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork alias ')));
  const files = {
    'tsconfig.json': '{ "extends": "./base/tsconfig.json", "compilerOptions": { "strict": true } }',
    'base/tsconfig.json': `{ // aliases of the whole project
      "compilerOptions": { "paths": { "@/*": ["../src/*"], "@/agents/*": ["../lib/*", "../agents/*"], "the-agent": ["../src/agent.ts"] } }
    }`,
    'package.json':
      '{ "imports": { "#agents/*": { "types": "./none/*.d.ts", "default": "./src/*.js" }, "#one": "./src/agent.ts" } }',
    'src/agent.ts': '',
    'src/view.tsx': '',
    'agents/booking/index.mts': '',
    'deep/er/tsconfig.json': '{ "compilerOptions": { "baseUrl": "../..", "paths": { "~/*": ["src/*"] } } }',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('resolveAlias', () => {
  test.each([
    ['.', '@/agent', 'src/agent.ts'],
    ['.', '@/agent.js', 'src/agent.ts'],
    ['.', '@/view', 'src/view.tsx'],
    ['src', 'the-agent', 'src/agent.ts'],
    ['.', '@/agents/booking', 'agents/booking/index.mts'],
    ['deep/er', '~/agent', 'src/agent.ts'],
    ['.', '#agents/agent', 'src/agent.ts'],
    ['src', '#one', 'src/agent.ts'],
  ])('in %s, %s is %s', (from, alias, file) => {
    expect(resolveAlias(join(folder, from), alias)).toBe(join(folder, file));
  });

  test.each(['@/none', './src/agent.ts', '../src/agent', '/agent', 'zod', '#none', ''])('%j is none', (specifier) => {
    expect(resolveAlias(folder, specifier)).toBeNull();
  });
});
