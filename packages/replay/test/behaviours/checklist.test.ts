import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const TESTS = new URL('../', import.meta.url);
const PAGE = new URL('../../../../docs/replay.md', import.meta.url);
const IDS = [...idsBetween(182, 223), ...idsBetween(240, 246)];

function idsBetween(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => `B${first + i}`);
}

/** What the tests of this package say. */
function allTests(): readonly string[] {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('checklist.test.ts'))
    .map((name) => readFileSync(new URL(name, TESTS), 'utf8'));
}

describe('the behaviours of the Python original', () => {
  it('each have a test here, or a line that says what was chosen instead', () => {
    const tests = allTests();
    const [, chosen = ''] = readFileSync(PAGE, 'utf8').split('## Where this implementation chose differently');
    const known = new Set([...tests, chosen].join('\n').match(/\bB\d{3}\b/g));
    expect(IDS.filter((id) => !known.has(id))).toEqual([]);
  });

  it('are named in the page only where they are known', () => {
    const [, chosen = ''] = readFileSync(PAGE, 'utf8').split('## Where this implementation chose differently');
    const named = [...new Set(chosen.match(/\bB\d{3}\b/g))];
    expect(named.filter((id) => !IDS.includes(id) && id !== 'B276')).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(['B207', 'B215', 'B218', 'B276']));
  });
});
