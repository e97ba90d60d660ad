import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { formatReport, replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

const HERE = import.meta.filename;
const ask = traceTool('ask', async (what: string) => {
  Math.random();
  return `${what}!`;
});

const agent = async (): Promise<unknown> => {
  for (let i = 0; i < 3; i++) Math.random();
  const id = typeof randomUUID() === 'string' && typeof crypto.randomUUID() === 'string';
  const home = 'STEPFORK_TEST_VARIABLE' in process.env || process.env.STEPFORK_TEST_VARIABLE !== undefined;
  const text = readFileSync(HERE, 'utf8').length === (await readFile(HERE, 'utf8')).length && existsSync(HERE);
  const day = new Date().getDay() === new Date(Date.now()).getDay();
  await sleep(1);
  return [id, home, text, day, await ask('a')];
};

describe('what a replayed run uses that is not frozen', () => {
  it('is listed with how often, and where first', async () => {
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent), { observe: true });
    expect(report.verdict).toBe('matched');
    const shown = HERE.startsWith(process.cwd()) ? HERE.slice(process.cwd().length + 1) : HERE;
    const found = Object.fromEntries(report.observed.map(({ what, name, count }) => [`${what} ${name}`, count]));
    expect(found).toMatchObject({
      'random Math.random': 3,
      'random crypto.randomUUID': 2,
      'environment process.env.STEPFORK_TEST_VARIABLE': 2,
      [`files fs.readFileSync ${shown}`]: 1,
      [`files fs.promises.readFile ${shown}`]: 1,
      [`files fs.existsSync ${shown}`]: 1,
    });
    const clock = report.observed.find(({ name }) => name === "the run's clock");
    // The test runner may read it in the run's context, too, when it tells of its progress.
    expect(clock?.count).toBeGreaterThanOrEqual(2);
    expect(clock?.callSite).toMatch(/observe\.test\.ts:\d+:\d+$/);
    expect(report.observed.find(({ name }) => name === 'Math.random')?.callSite).toMatch(/observe\.test\.ts:\d+:\d+$/);
    expect(formatReport(report)).toMatch(
      /^ {2}observed {3}random: Math\.random, 3 times, first at .*observe\.test\.ts/m,
    );
  });

  it('is nothing of what is outside the run, or in the body of a call that really runs', async () => {
    const path = await recordRun(() => ask('a'));
    const outside = setInterval(() => Math.random(), 1);
    const entry = asAgent(async () => {
      await sleep(20);
      return ask('a');
    });
    const report = await replay(path, entry, { observe: true, mode: 'live', allowLiveTools: ['ask'] });
    clearInterval(outside);
    expect([report.counts.executed, report.observed]).toEqual([1, []]);
  });

  it('is not looked for unless asked, and everything is as it was afterwards', async () => {
    const before = [Math.random, process.env, Object.getOwnPropertyDescriptor(process, 'env')];
    const path = await recordRun(agent);
    const both = await Promise.all([
      replay(path, asAgent(agent), { observe: true, noProgressMs: 2_000 }),
      replay(path, asAgent(agent), { noProgressMs: 2_000 }),
    ]);
    expect(both.map(({ observed }) => observed.length > 0)).toEqual([true, false]);
    expect([Math.random, process.env, Object.getOwnPropertyDescriptor(process, 'env')]).toEqual(before);
    expect(Math.random).toBe(before[0]);
  });
});
