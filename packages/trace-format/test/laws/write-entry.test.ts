import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** What a module and everything it imports evaluate: files of this package, and other modules by name. */
function reached(entry: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  const text = readFileSync(join(source, entry), 'utf8');
  for (const [, specifier = ''] of text.matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)';/gm)) {
    if (specifier.startsWith('.')) reached(join(dirname(entry), specifier.replace(/\.js$/, '.ts')), found);
    else found.add(specifier);
  }
  return found;
}

describe('the entry that a production agent imports', () => {
  const modules = [...reached('write.ts')];

  it('does not evaluate zod, nor any package but node itself', () => {
    expect(modules).toContain('bundle/writer.ts');
    expect(modules.filter((name) => !name.endsWith('.ts') && !name.startsWith('node:'))).toEqual([]);
  });

  it('is a part of the whole, which does', () => {
    const whole = reached('index.ts');
    expect([...whole]).toEqual(expect.arrayContaining([...modules, 'zod']));
  });
});

describe('effects', () => {
  const files = [...reached('index.ts')].filter((name) => name.endsWith('.ts'));
  const using = (pattern: RegExp): string[] =>
    files.filter((name) => pattern.test(readFileSync(join(source, name), 'utf8'))).sort();

  it('touch files only in the bundle room', () => {
    expect(using(/^import (?!type).*'node:fs'/m).every((name) => name.startsWith('bundle/'))).toBe(true);
  });

  it('hash only in hash.ts, and ask for time and randomness only in clock.ts', () => {
    expect(using(/^import (?!type).*'node:crypto'/m)).toEqual(['clock.ts', 'hash.ts']);
    expect(using(/Date\.now\(|new Date\(\)|Math\.random|randomUUID/)).toEqual(['clock.ts']);
  });

  it('never ask for the class of a value', () => {
    expect(using(/\binstanceof\b(?!`)/).filter((name) => /[^`]\binstanceof\b[^`]/.test(codeOf(name)))).toEqual([]);
  });

  /** A file without its comments. */
  function codeOf(name: string): string {
    return readFileSync(join(source, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  }
});
