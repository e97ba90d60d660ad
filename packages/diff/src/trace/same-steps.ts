import type { Pair } from '../align/pair.js';
import { isSameStep, type Sides, type Step } from './steps.js';

/** Answers to one question, by index: 1 for yes. */
export type Flags = Readonly<Uint8Array>;

/** Asked once, as it costs a walk through both steps: which pairs are the same in everything that is compared. */
export function sameSteps({ a, b }: Sides, pairs: readonly Pair[]): Flags {
  const same = new Uint8Array(pairs.length);
  for (let at = 0; at < same.length; at++) {
    const pair = pairs[at] as Pair;
    if (isSameStep(a[pair.a] as Step, b[pair.b] as Step)) same[at] = 1;
  }
  return same;
}
