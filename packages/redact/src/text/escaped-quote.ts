import type { Splice } from './splice.js';

/**
 * Splices that leave the backslashes before a quote where they are: in JSON text they belong to it, and a rule that takes
 * them for a part of its match would let the string end too early. What then replaces nothing by itself is left out.
 */
export function beforeEscapes(text: string, splices: readonly Splice[]): readonly Splice[] {
  if (!splices.some(({ to }) => isEscaped(text, to))) return splices;
  return splices.flatMap((splice) => {
    const { from, by } = splice;
    let { to } = splice;
    if (isEscaped(text, to)) while (to > from && text[to - 1] === '\\') to--;
    return text.slice(from, to) === by || to === from ? [] : [{ ...splice, to }];
  });
}

function isEscaped(text: string, quote: number): boolean {
  return text[quote] === '"' && text[quote - 1] === '\\';
}
