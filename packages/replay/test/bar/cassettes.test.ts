import { beforeAll, describe, expect, it } from 'vitest';
import { recordTrials, temporaryFolder } from './bar.js';
import { type Finder, isRight, nthCall, sameKey } from './cassettes.js';
import type { Trial } from './trial.js';

/** So many programs are given to the simple replayers. */
const COMPARED = process.env.STEPFORK_FULL === '1' ? 150 : 50;

describe('generated programs', () => {
  const folder = temporaryFolder();
  let trials: readonly Trial[] = [];

  beforeAll(async () => {
    trials = await recordTrials(0, COMPARED, folder());
  }, 600_000);

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
