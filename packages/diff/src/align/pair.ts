/** An element of one sequence and its counterpart in the other, by index. */
export interface Pair {
  readonly a: number;
  readonly b: number;
}

/** The same pair, seen from the other side. */
export function mirrored({ a, b }: Pair): Pair {
  return { a: b, b: a };
}
