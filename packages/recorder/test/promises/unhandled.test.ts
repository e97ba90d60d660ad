import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';

const directory = ownDirectory();
const run = programs(fileURLToPath(new URL('./programs', import.meta.url)));

describe('rejections that nobody handles', () => {
  it('are those of the bare functions, whoever made a promise and whoever asks for it', async () => {
    const { code, stdout, stderr } = await run('unhandled', { args: [directory()] });
    expect([code, stderr.replace(/^\(.*Warning.*\n|^\(Use .*\n/gm, '')]).toEqual([0, '']);
    const results = JSON.parse(stdout) as Record<string, { bare: string[]; recorded: string[]; agent: string[] }>;
    const cases = Object.entries(results);
    expect(cases.length).toBeGreaterThan(70);
    expect(cases.filter(([, { bare }]) => bare.length > 0).length).toBeGreaterThan(15);
    const bare = cases.map(([name, { bare: left }]) => [name, left]);
    expect(cases.map(([name, { recorded }]) => [name, recorded])).toEqual(bare);
    expect(cases.map(([name, { agent }]) => [name, agent])).toEqual(bare);
  }, 60_000);
});
