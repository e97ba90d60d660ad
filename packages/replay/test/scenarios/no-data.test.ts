import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { replay } from '@stepfork/replay';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../bar/bar.js';

const folder = temporaryFolder();

describe('an output that no recording can hold', () => {
  test.each<[string, () => unknown, () => unknown, string]>([
    ['a Response', () => new Response('yes'), () => new Response('no', { status: 500 }), ''],
    ['a function among data', () => ({ a: { run: () => 1 } }), () => ({ a: { run: () => 2 } }), ", at 'a.run'"],
  ])('is not judged, and that is said: %s', async (_, recorded, replayed, where) => {
    const output = join(folder(), 'odd.sftrace');
    await record('agent', { output, overwrite: true }, async () => recorded());
    const report = await replay(output, () => record('agent', async () => replayed()));
    expect([report.verdict, report.facets.output]).toEqual(['matched', 'not-recorded']);
    expect(report.notes.join()).toContain(
      `the output is not judged by what was recorded: it held what could not be${where};`,
    );
  });

  test('is changed where the rest of it is', async () => {
    const output = join(folder(), 'rest.sftrace');
    await record('agent', { output }, async () => ({ right: true, run: () => 1 }));
    const report = await replay(output, () => record('agent', async () => ({ right: false, run: () => 1 })));
    expect([report.verdict, report.facets.output]).toEqual(['output-changed', 'changed']);
  });
});

test('a normalize function that throws is told as the option that it is', async () => {
  const output = join(folder(), 'plain.sftrace');
  const { traceTool } = await import('@stepfork/recorder');
  const tool = traceTool('tool', async (n: number) => n);
  await record('agent', { output }, () => tool(1));
  const normalize = { 'tool:tool': (input: unknown) => (input as { no: { such: number } }).no.such };
  await expect(replay(output, () => tool(1), { normalize })).rejects.toMatchObject({
    code: 'bad_option',
    message: expect.stringContaining("option normalize threw for 'tool:tool': "),
  });
});
