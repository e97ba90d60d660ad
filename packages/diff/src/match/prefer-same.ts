import type { Matched } from '../align/matched.js';

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
export function preferSame(matched: Matched, lengthA: number, lengthB: number, alike: Alike): Matched {
  const a = matched.a.slice();
  const b = matched.b.slice();
  exchangePartners(a, b, lengthB, alike);
  const swapped: Alike = {
    isSameCall: (y, x) => alike.isSameCall(x, y),
    isSameStep: (y, x) => alike.isSameStep(x, y),
  };
  exchangePartners(b, a, lengthA, swapped);
  return { a, b };
}

/** How many neighbours are looked at, for each element there is: a limit for runs made to be slow. */
const MOST_LOOKS = 8;

/** Exchanges partners in `b`: backwards first, then forwards, since each exchange frees a neighbour of the next pair. */
function exchangePartners(fixed: Int32Array, partners: Int32Array, lengthB: number, alike: Alike): void {
  const last = fixed.length - 1;
  let looks = MOST_LOOKS * (fixed.length + lengthB);
  const settle = (at: number, direction: 1 | -1): void => {
    const a = fixed[at] as number;
    const b = partners[at] as number;
    const low = at === 0 ? 0 : (partners[at - 1] as number) + 1;
    const high = at === last ? lengthB - 1 : (partners[at + 1] as number) - 1;
    if (low === high) return;
    // Outcomes are compared last, and only where there is a choice.
    let isChanged = false;
    // From the end that the pair before has left.
    for (let other = direction === 1 ? low : high; other >= low && other <= high && looks > 0; other += direction) {
      looks--;
      if (other === b || !alike.isSameCall(a, other)) continue;
      isChanged ||= !alike.isSameStep(a, b);
      if (!isChanged) return;
      if (alike.isSameStep(a, other)) {
        partners[at] = other;
        return;
      }
    }
  };
  for (let at = last; at >= 0; at--) settle(at, -1);
  for (let at = 0; at <= last; at++) settle(at, 1);
}
