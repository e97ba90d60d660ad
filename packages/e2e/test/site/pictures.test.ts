import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inkOf } from '../../src/ink.js';
import { readPng } from '../../src/png.js';
import { IMAGES, SCREENSHOTS } from '../../src/screenshots.js';
import { docsPages } from '../../src/site.js';
import { publicPackages, ROOT } from '../../src/workspace.js';

const PAGES = [
  'README.md',
  ...publicPackages().map(({ folder }) => `${folder}/README.md`),
  ...docsPages().map((page) => `docs/${page}`),
];
/** The files in docs/images that pages show, by whatever path or address. */
const shown = new Set(
  PAGES.flatMap((page) => [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(/!\[[^\]]*\]\([^)]*\bimages\/([\w.-]+)\)/g),
  ]).map(([, file = '']) => file),
);

test('a page shows every picture that there is, and no other', () => {
  expect([...shown].sort()).toEqual(readdirSync(IMAGES).sort());
});

test('every screenshot is one that is taken by: npm run screenshots', () => {
  const screenshots = readdirSync(IMAGES).filter((file) => !file.endsWith('.svg'));
  expect(screenshots).toEqual(SCREENSHOTS.map(({ file }) => file).sort());
});

test.each(SCREENSHOTS)('$file is a small file, with something on it', ({ file }) => {
  const png = readFileSync(join(IMAGES, file));
  expect(png.length).toBeLessThan(150_000);
  const pixels = readPng(png);
  expect(pixels.width).toBeGreaterThan(600);
  expect(pixels.height).toBeGreaterThan(100);
  expect(inkOf(pixels)).toBeGreaterThan(0.01);
  expect(inkOf(pixels)).toBeLessThan(0.5);
});
