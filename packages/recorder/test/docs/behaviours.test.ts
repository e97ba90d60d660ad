import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../../docs/recording.md', import.meta.url));

/** The behaviours of the original that are about recording. */
const FIRST = 153;
const LAST = 181;

/** Ids in the names of tests: `it('B153 B154 does …'`. */
function testedIds(): Set<string> {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(PACKAGE, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(PACKAGE, folder, name), 'utf8')),
  );
  const names = files.flatMap(
    (text) => text.match(/\b(?:it|describe)(?:\.each\([^;]*?\))?\(\s*['"`]B\d{3}[^\n]*/g) ?? [],
  );
  return new Set(names.flatMap((name) => name.match(/\bB\d{3}\b/g) ?? []));
}

/** Ids of the rows that say what is different here. */
function documentedIds(): Set<string> {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split('## Where this implementation chose differently');
  const cells = section.match(/^\| (B\d{3}(?:, B\d{3})*) \|/gm) ?? [];
  return new Set(cells.flatMap((cell) => cell.match(/B\d{3}/g) ?? []));
}

describe('the behaviours of the original', () => {
  it('are each tested under their id, or documented as different', () => {
    const [tested, documented] = [testedIds(), documentedIds()];
    const ids = Array.from({ length: LAST - FIRST + 1 }, (_, index) => `B${FIRST + index}`);
    expect(ids.filter((id) => !tested.has(id) && !documented.has(id))).toEqual([]);
    expect(tested.size).toBeGreaterThan(15);
  });
});
