import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const source = new URL('../src/', import.meta.url);

// By their text: importing them loads all that Stepfork is measured against.
test('every bench that is written is in the list of those that are run', () => {
  const list = readFileSync(new URL('benches.ts', source), 'utf8');
  const listed = [...list.matchAll(/import \{ (\w+) \} from '\.\/benches\/([a-z-]+)\.js'/g)];
  const run = /BENCHES[^=]*= \[([^\]]*)\]/.exec(list)?.[1]?.split(/,\s*/) ?? [];
  expect(listed.map(([, , file]) => `${file}.ts`).sort()).toEqual(readdirSync(new URL('benches/', source)).sort());
  expect(run.sort()).toEqual(listed.map(([, name]) => name).sort());
});

test('a bench is asked for by the name of its file', () => {
  for (const file of readdirSync(new URL('benches/', source))) {
    const text = readFileSync(new URL(`benches/${file}`, source), 'utf8');
    expect(/^ {2}name: '(.+)',$/m.exec(text)?.[1]).toBe(file.replace(/\.ts$/, ''));
  }
});
