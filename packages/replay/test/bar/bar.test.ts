import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Finder, isRight, nthCall, sameKey } from './cassettes.js';
import { faultsOf, playTrial, recordTrial, type Trial } from './trial.js';

const IS_FULL = process.env.STEPFORK_FULL === '1';
const PROGRAMS = IS_FULL ? 10_000 : 180;
/** So many of the first programs are also given to the simple replayers. */
const COMPARED = IS_FULL ? 150 : 50;
/** Recordings mostly sleep; a few at a time do not disturb each other. */
const AT_ONCE = 12;

describe('generated programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-bar-'));
  const trials: Trial[] = [];

  beforeAll(async () => {
    for (let seed = 0; seed < COMPARED; seed += AT_ONCE) trials.push(...(await recordBatch(seed, COMPARED, folder)));
  }, 600_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('replay as recorded, or are reported', async () => {
    const faults: string[] = [];
    let alarms = 0;
    for (let seed = 0; seed < PROGRAMS; seed += AT_ONCE) {
      const batch = seed < COMPARED ? trials.slice(seed, seed + AT_ONCE) : await recordBatch(seed, PROGRAMS, folder);
      for (const trial of batch) {
        const played = await playTrial(trial);
        faults.push(...faultsOf(trial, played).map((fault) => `program ${trial.seed}: ${fault}`));
        if (trial.mutation === null && !trial.isRacing) alarms++;
        if (!trials.includes(trial)) rmSync(trial.path, { recursive: true });
      }
    }
    expect(faults).toEqual([]);
    // Enough programs must be left in which a false alarm would have counted.
    expect(alarms).toBeGreaterThan(PROGRAMS / 10);
  }, 7_200_000);

  it.each<[string, Finder]>([
    ['an nth-call cassette', nthCall],
    ['a replayer that goes by keys alone', sameKey],
  ])(
    'are too much for %s',
    async (_name, find) => {
      const unchanged = trials.filter(({ mutation }) => mutation === null);
      let right = 0;
      for (const trial of unchanged) if (await isRight(trial, find)) right++;
      expect(right).toBeLessThan(unchanged.length / 2);
    },
    600_000,
  );
});

function recordBatch(from: number, to: number, folder: string): Promise<Trial[]> {
  const seeds = Array.from({ length: Math.min(AT_ONCE, to - from) }, (_, index) => from + index);
  return Promise.all(seeds.map((seed) => recordTrial(seed, folder)));
}
