import { traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { assertReplay, formatReport, type ReplayOptions, replay } from '../../src/index.js';
import { asAgent, recordRun } from '../recording.js';

const search = traceTool('search', async (query: string) => `found ${query}`);

describe('a repeated replay', () => {
  it('says that the runs agreed, and gives each its own input', async () => {
    let runs = 0;
    const path = await recordRun(() => search('cats'));
    const seen: unknown[] = [];
    const report = await replay(
      path,
      (query: { list: string[] }) => {
        runs++;
        seen.push([...query.list]);
        query.list.push('changed');
        return search('cats');
      },
      { repeat: 3, input: { list: [] } },
    );
    expect(report).toMatchObject({ verdict: 'matched', disagreement: null });
    expect(report.notes).toContain('3 runs agreed');
    expect(runs).toBe(3);
    assertReplay(report);
  });

  it.each<[string, (run: number) => Promise<unknown>, string, string]>([
    [
      'the output',
      async (run) => ({ found: await search('cats'), run: run === 2 }),
      'output-changed',
      "run 3 of 3 was not as run 1: the output at 'run': false, true",
    ],
    [
      'the calls',
      (run) => search(run === 1 ? 'dogs' : 'cats'),
      'diverged',
      "run 2 of 3 was not as run 1: no divergence; call #1: tool 'search' was called with another input",
    ],
    [
      'the ending',
      async (run) => {
        await search('cats');
        if (run === 2) throw new TypeError('at times');
      },
      'output-changed',
      'run 3 of 3 was not as run 1: completed; threw TypeError',
    ],
  ])('fails where runs disagree in %s, whatever counts as right', async (_what, agent, verdict, message) => {
    const path = await recordRun(() => search('cats'));
    let run = 0;
    const report = await replay(
      path,
      asAgent(() => agent(run++)),
      { repeat: 3 },
    );
    expect(report.verdict).toBe(verdict);
    expect(report.disagreement).toContain(message);
    expect(formatReport(report)).toContain('unsteady   run');
    expect(() => assertReplay(report, { output: 'any' })).toThrow(message);
  });

  it.each([0, 1.5, '2', Number.NaN])('is refused for %j', async (repeat) => {
    const path = await recordRun(() => 1);
    await expect(replay(path, () => 1, { repeat } as ReplayOptions)).rejects.toThrow(
      'option repeat must be a whole number above 0',
    );
  });

  it('is not recorded', async () => {
    const path = await recordRun(() => 1);
    await expect(replay(path, () => 1, { repeat: 2, record: `${path}.sftrace` })).rejects.toThrow(
      'options record and repeat cannot be given together',
    );
  });
});
