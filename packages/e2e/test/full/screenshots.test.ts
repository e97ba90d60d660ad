import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { inkOf } from '../../src/ink.js';
import { readPng } from '../../src/png.js';
import { withScenery } from '../../src/scenery.js';
import { IMAGES, SCREENSHOTS, type Taken } from '../../src/screenshots.js';

/** Each as it comes out today. */
let today: ReadonlyMap<string, Taken>;

beforeAll(async () => {
  today = await withScenery(async (scenery) => {
    const taken = new Map<string, Taken>();
    for (const { file, take } of SCREENSHOTS) taken.set(file, await take(scenery));
    return taken;
  });
});

test.each(SCREENSHOTS)('$file shows what there is to see', ({ file, shows }) => {
  const text = today.get(file)?.text ?? '';
  expect(shows.filter((each) => !text.includes(each))).toEqual([]);
});

// Ids and times are others in each run, and another system has other fonts: it has to be alike, not the same.
test.each(SCREENSHOTS)('$file comes out today as it stands in docs/images', ({ file }) => {
  const [taken, committed] = [today.get(file)?.png ?? Buffer.alloc(0), readFileSync(join(IMAGES, file))].map(readPng);
  if (taken === undefined || committed === undefined) throw new Error(`${file} was not taken`);
  const alike = (a: number, b: number, by: number): boolean => Math.max(a, b) <= by * Math.min(a, b);
  expect(alike(taken.width, committed.width, 1.1), `${taken.width} and ${committed.width} wide`).toBe(true);
  expect(alike(taken.height, committed.height, 1.25), `${taken.height} and ${committed.height} high`).toBe(true);
  expect(alike(inkOf(taken), inkOf(committed), 1.6), `${inkOf(taken)} and ${inkOf(committed)} of ink`).toBe(true);
});
