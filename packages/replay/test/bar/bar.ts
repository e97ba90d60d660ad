import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf, isAlarm, isJudged, isStarved, playTrial, recordTrial, type Trial } from './trial.js';

const IS_FULL = process.env.STEPFORK_FULL === '1';
/** Programs of one quarter of the bar: five hundred in all, or ten thousand. */
const PROGRAMS = IS_FULL ? 2_500 : 125;
/** Recordings mostly sleep; a few at a time do not disturb each other. */
const AT_ONCE = 6;
const RECORDINGS = 3;

/** One quarter of the bar, counted from 0. The quarters are files, so that they run side by side. */
export function describeQuarter(quarter: number): void {
  const first = quarter * PROGRAMS;
  describe(`generated programs from ${first} on`, () => {
    const folder = temporaryFolder();

    it('replay as recorded, or are reported', async () => {
      const faults: string[] = [];
      let judged = 0;
      for (let seed = first; seed < first + PROGRAMS; seed += AT_ONCE) {
        for (const trial of await recordTrials(seed, Math.min(AT_ONCE, first + PROGRAMS - seed), folder())) {
          const found = await faultsIn(trial, folder());
          if (isJudged(trial)) judged++;
          faults.push(...found.map((fault) => `program ${trial.seed}: ${fault}`));
          rmSync(trial.path, { recursive: true });
        }
      }
      expect(faults).toEqual([]);
      // Enough programs must be left in which a false alarm would have counted.
      expect(judged).toBeGreaterThan(PROGRAMS / 10);
    }, 7_200_000);
  });
}

/**
 * Where the machine had no time for the replay, it may have had none for the recording: that is made again, and alone. The
 * few programs are made beside all other tests, where that cannot always be told: so are those that raise an alarm.
 */
async function faultsIn(recorded: Trial, folder: string): Promise<readonly string[]> {
  let trial = recorded;
  for (let recordings = 1; ; recordings++) {
    const played = await playTrial(trial);
    const faults = faultsOf(trial, played);
    const mayBeStarved = isStarved(played) || (!IS_FULL && faults.every(isAlarm));
    if (faults.length === 0 || !mayBeStarved || recordings === RECORDINGS) return faults;
    trial = await recordTrial(recorded.seed, folder);
  }
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
