import { isSameStep, type Sides, type Step } from './steps.js';

/** How many steps at the beginning and at the end of two runs are counterparts without a search. */
export interface SharedEnds {
  readonly first: number;
  readonly last: number;
}

/**
 * Counts the steps that are the same in everything. A run that ends is compared with the other that ends, whatever
 * came before, so these two steps count too.
 */
export function sharedEnds({ a, b }: Sides): SharedEnds {
  const shortest = Math.min(a.length, b.length);
  let last = a.at(-1)?.type === 'run' && b.at(-1)?.type === 'run' ? 1 : 0;
  let first = 0;
  while (first + last < shortest && isSameStep(a[first] as Step, b[first] as Step)) first++;
  while (first + last < shortest && isSameStep(a[a.length - 1 - last] as Step, b[b.length - 1 - last] as Step)) last++;
  return { first, last };
}
