/** Something in the log of which the turn of the event loop is known. */
export interface Turned {
  readonly position: number;
  readonly turn: number;
}

/**
 * Positions at which something happened in a turn of the event loop in which something before it in the log happened:
 * what a function gives at once, with nothing but promise callbacks in between.
 */
export function promptPlaces(places: readonly Turned[]): ReadonlySet<number> {
  const prompt = new Set<number>();
  const begun = new Set<number>();
  for (const { position, turn } of [...places].sort((a, b) => a.position - b.position)) {
    if (begun.has(turn)) prompt.add(position);
    begun.add(turn);
  }
  return prompt;
}
