import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Everything outside the package that a file of it evaluates, types left out. */
function evaluatedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const found = new Set<string>();
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm);
  for (const [, specifier = ''] of imports) {
    if (!specifier.startsWith('.')) found.add(specifier);
    else
      for (const outer of evaluatedBy(join(dirname(file), specifier.replace(/\.js$/, '.ts')), seen)) found.add(outer);
  }
  return found;
}

describe('the entry that a recorder evaluates', () => {
  it('touches no file and never reaches what reads bundles', () => {
    const outside = [...evaluatedBy(join(source, 'index.ts'))].sort();
    expect(outside).toEqual(['@stepfork/trace-format/write', 'node:buffer', 'node:util']);
  });

  it('is not the one that looks at bundles', () => {
    expect(evaluatedBy(join(source, 'bundle.ts'))).toContain('@stepfork/trace-format');
  });
});
