import { mirrored, type Pair } from '../align/pair.js';

/** What is asked about elements while the choice between equal ones is made. */
export interface Alike {
  /** Whether both are the same call. */
  readonly isSameCall: (a: number, b: number) => boolean;
  /** Whether both are the same call with the same outcome. */
  readonly isSameStep: (a: number, b: number) => boolean;
}

/**
 * Where the same call was made several times, an alignment is free to choose between its occurrences. Exchanges
 * partners for unmatched neighbours that also ended the same, so that an inserted poll is one added step and does not
 * change the answers of all that follow it. Nothing is matched more or less often than before.
 */
export function preferSame(pairs: readonly Pair[], lengthA: number, lengthB: number, alike: Alike): readonly Pair[] {
  const forB = exchangePartners(pairs, lengthB, alike);
  const swapped: Alike = {
    isSameCall: (b, a) => alike.isSameCall(a, b),
    isSameStep: (b, a) => alike.isSameStep(a, b),
  };
  return exchangePartners(forB.map(mirrored), lengthA, swapped).map(mirrored);
}

/** How many neighbours are looked at, for each element there is: a limit for runs made to be slow. */
const MOST_LOOKS = 8;

/** Exchanges partners in `b`: backwards first, then forwards, since each exchange frees a neighbour of the next pair. */
function exchangePartners(pairs: readonly Pair[], lengthB: number, alike: Alike): readonly Pair[] {
  const partners = pairs.map(({ b }) => b);
  let looks = MOST_LOOKS * (pairs.length + lengthB);
  const settle = (at: number, direction: 1 | -1): void => {
    const { a } = pairs[at] as Pair;
    const b = partners[at] as number;
    const low = at === 0 ? 0 : (partners[at - 1] as number) + 1;
    const high = at === pairs.length - 1 ? lengthB - 1 : (partners[at + 1] as number) - 1;
    if (low === high || alike.isSameStep(a, b)) return;
    // From the end that the pair before has left.
    for (let other = direction === 1 ? low : high; other >= low && other <= high && looks > 0; other += direction) {
      looks--;
      if (other !== b && alike.isSameCall(a, other) && alike.isSameStep(a, other)) {
        partners[at] = other;
        return;
      }
    }
  };
  for (let at = pairs.length - 1; at >= 0; at--) settle(at, -1);
  for (let at = 0; at < pairs.length; at++) settle(at, 1);
  return pairs.map(({ a }, at) => ({ a, b: partners[at] as number }));
}
