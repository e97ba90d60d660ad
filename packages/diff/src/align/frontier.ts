import type { Box, Sequences } from './box.js';

/** Marks a diagonal that no path reaches inside the box. */
const NONE = -(2 ** 29);

/**
 * The furthest points that paths with a growing number of edits reach on each diagonal, seen from one corner of a
 * box (Myers, "An O(ND) Difference Algorithm and Its Variations"). Coordinates count from that corner: `x` elements
 * of `a`, `y` of `b`, diagonal `x - y`.
 */
export class Frontier {
  readonly #at: Int32Array;
  readonly #zero: number;
  readonly #sequences: Sequences;
  readonly #startA: number;
  readonly #startB: number;
  readonly #direction: 1 | -1;
  readonly #width: number;
  readonly #height: number;
  /** Diagonals of the latest round. */
  low = 0;
  high = 0;

  constructor(sequences: Sequences, box: Box, direction: 1 | -1, mostEdits: number) {
    this.#sequences = sequences;
    this.#direction = direction;
    this.#width = box.aTo - box.aFrom;
    this.#height = box.bTo - box.bFrom;
    this.#startA = direction === 1 ? box.aFrom : box.aTo - 1;
    this.#startB = direction === 1 ? box.bFrom : box.bTo - 1;
    this.#zero = mostEdits + 1;
    this.#at = new Int32Array(2 * mostEdits + 3).fill(NONE);
  }

  /** The `x` reached on a diagonal in the latest round, or a negative number. */
  on(diagonal: number): number {
    return diagonal < this.low || diagonal > this.high ? NONE : (this.#at[this.#zero + diagonal] as number);
  }

  /** Lets all paths make one edit more (in round 0: none) and follow what is equal. */
  advance(edits: number): void {
    const at = this.#at;
    const zero = this.#zero;
    const width = this.#width;
    const height = this.#height;
    const low = edits <= height ? -edits : -height + ((edits - height) & 1);
    const high = edits <= width ? edits : width - ((edits - width) & 1);
    const lowest = this.low;
    const highest = this.high;
    for (let diagonal = low; diagonal <= high; diagonal += 2) {
      // One edit from the neighbouring diagonals of the round before, as far as that stays in the box.
      const beside = diagonal > lowest ? (at[zero + diagonal - 1] as number) + 1 : NONE;
      const above = diagonal < highest ? (at[zero + diagonal + 1] as number) : NONE;
      const skipsA = beside <= width ? beside : NONE;
      const skipsB = above - diagonal <= height ? above : NONE;
      const x = edits === 0 ? 0 : Math.max(skipsA, skipsB);
      at[zero + diagonal] = x < 0 ? NONE : this.#follow(x, x - diagonal);
    }
    this.low = low;
    this.high = high;
  }

  #follow(fromX: number, fromY: number): number {
    const { a, b } = this.#sequences;
    const direction = this.#direction;
    const most = Math.min(this.#width - fromX, this.#height - fromY);
    let atA = this.#startA + direction * fromX;
    let atB = this.#startB + direction * fromY;
    let length = 0;
    while (length < most && a[atA] === b[atB]) {
      atA += direction;
      atB += direction;
      length++;
    }
    return fromX + length;
  }
}
