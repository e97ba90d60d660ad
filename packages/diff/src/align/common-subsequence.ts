import type { Box, Sequences } from './box.js';
import type { Matched } from './matched.js';
import { splitBox } from './split.js';

export interface CommonSubsequence extends Matched {
  /** Whether no longer one exists for sure. */
  readonly exact: boolean;
}

/** Points looked at before the search is cut short, roughly. Sequences of a few thousand elements never get there. */
const MOST_WORK = 2 ** 25;
/** So many edits are searched for in any case. */
const FEWEST_EDITS = 256;

/** A longest common subsequence of two sequences of interned elements (numbers from 0), in linear space. */
export function commonSubsequence(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  mostEdits = Math.max(FEWEST_EDITS, Math.floor(MOST_WORK / (a.length + b.length + 1))),
): CommonSubsequence {
  // What the other side does not have at all takes no part: two different texts would otherwise cost two edits.
  const keptA = indexesIn(a, b);
  const keptB = indexesIn(b, a);
  const sequences = { a: elementsAt(a, keptA), b: elementsAt(b, keptB) };
  const partners = new Int32Array(keptA.length).fill(-1);
  const exact = matchBoxes(sequences, partners, mostEdits);
  return { ...matchedOf(partners, keptA, keptB), exact };
}

/** @param partners per kept element of `a`: the kept element of `b` that it is matched with, or -1 */
function matchedOf(partners: Int32Array, keptA: Int32Array, keptB: Int32Array): Matched {
  const a = new Int32Array(partners.length);
  const b = new Int32Array(partners.length);
  let count = 0;
  for (let at = 0; at < partners.length; at++) {
    const partner = partners[at] as number;
    if (partner < 0) continue;
    a[count] = keptA[at] as number;
    b[count] = keptB[partner] as number;
    count++;
  }
  return { a: a.subarray(0, count), b: b.subarray(0, count) };
}

function elementsAt(sequence: ArrayLike<number>, indexes: Int32Array): Int32Array {
  const elements = new Int32Array(indexes.length);
  for (let at = 0; at < indexes.length; at++) elements[at] = sequence[indexes[at] as number] as number;
  return elements;
}

function indexesIn(of: ArrayLike<number>, other: ArrayLike<number>): Int32Array {
  let most = -1;
  for (let i = 0; i < other.length; i++) if ((other[i] as number) > most) most = other[i] as number;
  const known = new Uint8Array(most + 1);
  for (let i = 0; i < other.length; i++) known[other[i] as number] = 1;
  const indexes = new Int32Array(of.length);
  let count = 0;
  for (let i = 0; i < of.length; i++) if (known[of[i] as number] === 1) indexes[count++] = i;
  return indexes.subarray(0, count);
}

/** Splits boxes until nothing but equal ends is left of them. */
function matchBoxes(sequences: Sequences, partners: Int32Array, mostEdits: number): boolean {
  let exact = true;
  const boxes: Box[] = [{ aFrom: 0, aTo: sequences.a.length, bFrom: 0, bTo: sequences.b.length }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    const { aFrom, aTo, bFrom, bTo } = matchEnds(sequences, box, partners);
    if (aFrom === aTo || bFrom === bTo) continue;
    const split = splitBox(sequences, { aFrom, aTo, bFrom, bTo }, mostEdits);
    exact &&= split.exact;
    boxes.push({ aFrom, aTo: split.a, bFrom, bTo: split.b }, { aFrom: split.a, aTo, bFrom: split.b, bTo });
  }
  return exact;
}

/** Matches what a box begins and ends with, and answers what is left of it. */
function matchEnds({ a, b }: Sequences, { aFrom, aTo, bFrom, bTo }: Box, partners: Int32Array): Box {
  let startA = aFrom;
  let startB = bFrom;
  while (startA < aTo && startB < bTo && a[startA] === b[startB]) partners[startA++] = startB++;
  let endA = aTo;
  let endB = bTo;
  while (endA > startA && endB > startB && a[endA - 1] === b[endB - 1]) partners[--endA] = --endB;
  return { aFrom: startA, aTo: endA, bFrom: startB, bTo: endB };
}
