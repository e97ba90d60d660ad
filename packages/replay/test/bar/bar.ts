import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf, playTrial, recordTrial, type Trial } from './trial.js';

const IS_FULL = process.env.STEPFORK_FULL === '1';
/** Programs of one half of the bar: five hundred in all, or ten thousand. */
const PROGRAMS = IS_FULL ? 5_000 : 250;
/** Recordings mostly sleep; a few at a time do not disturb each other. */
const AT_ONCE = 12;

/** Half of the bar, from that seed on. The halves are two files, so that they run side by side. */
export function describeHalf(first: number): void {
  describe(`generated programs from ${first} on`, () => {
    const folder = temporaryFolder();

    it('replay as recorded, or are reported', async () => {
      const faults: string[] = [];
      let alarms = 0;
      for (let seed = first; seed < first + PROGRAMS; seed += AT_ONCE) {
        for (const trial of await recordTrials(seed, Math.min(AT_ONCE, first + PROGRAMS - seed), folder())) {
          const played = await playTrial(trial);
          faults.push(...faultsOf(trial, played).map((fault) => `program ${trial.seed}: ${fault}`));
          if (trial.mutation === null && !trial.isRacing) alarms++;
          rmSync(trial.path, { recursive: true });
        }
      }
      expect(faults).toEqual([]);
      // Enough programs must be left in which a false alarm would have counted.
      expect(alarms).toBeGreaterThan(PROGRAMS / 10);
    }, 7_200_000);
  });
}

/** A folder for bundles, made before the tests of the file and gone after them. */
export function temporaryFolder(): () => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'stepfork-bar-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Records the programs of so many seeds, a few at a time. */
export async function recordTrials(first: number, count: number, folder: string): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  for (let seed = first; seed < first + count; seed += AT_ONCE) {
    const seeds = Array.from({ length: Math.min(AT_ONCE, first + count - seed) }, (_, index) => seed + index);
    trials.push(...(await Promise.all(seeds.map((each) => recordTrial(each, folder)))));
  }
  return trials;
}
