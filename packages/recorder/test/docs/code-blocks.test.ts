import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundlesIn, loadSound, ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';

const PAGES = {
  page: new URL('../../../../docs/recording.md', import.meta.url),
  readme: new URL('../../README.md', import.meta.url),
};
const directory = ownDirectory();
const folder = mkdtempSync(join(tmpdir(), 'stepfork-blocks-'));
const blocks = Object.entries(PAGES).flatMap(([page, url]) =>
  [...readFileSync(url, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], index) => {
    writeFileSync(join(folder, `${page}-${index}.ts`), code);
    return `${page}-${index}`;
  }),
);
const run = programs(folder);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the code blocks of the documentation', () => {
  it('are found', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(6);
  });

  it.each(blocks)('run, and what they record is sound: %s', async (block) => {
    const { code, stderr } = await run(block, { cwd: directory() });
    expect([code, stderr]).toEqual([0, '']);
    const traces = join(directory(), '.stepfork', 'traces');
    for (const name of bundlesIn(traces)) loadSound(join(traces, name));
  });
});
