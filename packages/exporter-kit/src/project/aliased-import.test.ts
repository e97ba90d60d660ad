import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAliasedImport } from './aliased-import.js';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork alias ')));
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "*": ["./types/*"] } } }',
    'src/direct.ts': "import { z } from 'zod';\nimport { tool } from '@/tools';\n",
    'src/deep.ts': "export * from './middle.js';\n",
    'src/middle.ts': "import './deep.js';\nconst tools = await import('@/tools.js');\n",
    'src/types.ts': "import type { Tool } from '@/tools';\nimport { readFileSync } from 'node:fs';\n",
    'src/plain.ts': "import { tool } from './tools';\nimport '#tools';\nimport '@/none';\n",
    'src/tools.ts': 'export const tool = 1;\n',
    'none/tsconfig.json': '{}',
    'none/agent.ts': "import '@/tools';\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('findAliasedImport', () => {
  test.each([
    ['src/direct.ts', 'src/direct.ts', '@/tools'],
    ['src/deep.ts', 'src/middle.ts', '@/tools.js'],
  ])('of %s is the one in %s', (entrypoint, file, specifier) => {
    expect(findAliasedImport(join(folder, entrypoint))).toEqual({ file: join(folder, file), specifier });
  });

  test.each(['src/types.ts', 'src/plain.ts', 'none/agent.ts', 'missing.ts'])('of %s is none', (entrypoint) => {
    expect(findAliasedImport(join(folder, entrypoint))).toBeNull();
  });
});
