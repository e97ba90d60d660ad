import type { Pair } from '../align/pair.js';

/** Pairs the first element with some id on one side with the first on the other, the second with the second, … */
export function pairInTurn(
  a: readonly number[],
  b: readonly number[],
  idOf: { readonly a: (index: number) => number; readonly b: (index: number) => number },
): readonly Pair[] {
  const waiting = new Map<number, number[]>();
  // Taken from the end.
  for (const index of a.toReversed()) {
    const id = idOf.a(index);
    const list = waiting.get(id);
    if (list === undefined) waiting.set(id, [index]);
    else list.push(index);
  }
  return b.flatMap((index) => {
    const counterpart = waiting.get(idOf.b(index))?.pop();
    return counterpart === undefined ? [] : [{ a: counterpart, b: index }];
  });
}
