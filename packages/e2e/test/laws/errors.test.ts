import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publicSources } from '../../src/source-facts.js';
import { ROOT } from '../../src/workspace.js';

/** Codes with a row in docs/errors.md: the first cell of a table row, in backticks. */
function documentedCodes(): ReadonlySet<string> {
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
  return new Set([...page.matchAll(/^\| *`([a-z_]+)` *\|/gm)].map(([, code = '']) => code));
}

const sources = publicSources();

test('every error code in the sources has a row in docs/errors.md', () => {
  const documented = documentedCodes();
  const thrown = sources.flatMap(({ file, errorCodes }) => errorCodes.map((code) => ({ file, code })));
  expect(thrown.length).toBeGreaterThan(0);
  expect(thrown.filter(({ code }) => !documented.has(code)).map(({ file, code }) => `${file} ${code}`)).toEqual([]);
});

test('every row in docs/errors.md is a code that the sources hold', () => {
  const texts = sources.map(({ text }) => text).join('\n');
  const unknown = [...documentedCodes()].filter((code) => !new RegExp(`['"\`]${code}['"\`]`).test(texts));
  expect(unknown).toEqual([]);
});

test('a code is a few lower-case words', () => {
  const codes = sources.flatMap(({ errorCodes }) => errorCodes);
  expect(codes.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
});
