import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BIN, ensureBuilt } from '../support/build.js';

beforeAll(ensureBuilt, 120_000);

const DIST = join(dirname(BIN), '..', 'dist');

/** What is evaluated before a chunk is: the text of all that it imports statically, and its own. */
function evaluated(chunk: string, seen = new Set<string>()): string {
  if (seen.has(chunk)) return '';
  seen.add(chunk);
  const text = readFileSync(join(DIST, chunk), 'utf8');
  const imports = Array.from(text.matchAll(/^(?:import |\} from )"\.\/([^"]+)"/gm), ([, name = '']) => name);
  return imports.map((name) => evaluated(name, seen)).join('') + text;
}

const chunkOf = (pattern: RegExp): string => pattern.exec(evaluated('stepfork.js'))?.[1] ?? '';

describe('the built program', () => {
  it('answers --version without the parser, and parses without what reads bundles', () => {
    const program = chunkOf(/import\("\.\/(program-[^"]+)"\)/);
    expect(evaluated('stepfork.js')).not.toMatch(/\/(?:yargs|zod)@/);
    expect(evaluated(program)).toMatch(/\/yargs@/);
    expect(evaluated(program)).not.toMatch(/\/zod@/);
  });

  it('carries all that it needs but jiti', () => {
    const names = readdirSync(DIST).flatMap((chunk) => {
      const text = readFileSync(join(DIST, chunk), 'utf8');
      return Array.from(
        text.matchAll(/^(?:import |import .* from |\} from )"([^".][^"]*)"|import\("([^".][^"]*)"\)/gm),
      );
    });
    const outside = names.map(([, fixed, lazy]) => fixed ?? lazy ?? '').filter((name) => !isBuiltin(name));
    expect([...new Set(outside)]).toEqual(['jiti']);
  });
});
