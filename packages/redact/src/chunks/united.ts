import { NO_SPLICES, type Splice } from '../text/splice.js';

/** Lists of splices of one text as one list: what any of them replaces is replaced, and what overlaps is one. */
export function united(lists: readonly (readonly Splice[])[]): readonly Splice[] {
  const filled = lists.filter(({ length }) => length > 0);
  if (filled.length < 2) return filled[0] ?? NO_SPLICES;
  const result: Splice[] = [];
  for (const splice of filled.flat().sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = result.at(-1);
    if (last === undefined || splice.from > last.to || isNextTo(splice, last)) result.push(splice);
    else result[result.length - 1] = both(last, splice);
  }
  return result;
}

function isNextTo({ from, to }: Splice, last: Splice): boolean {
  return from === last.to && from < to && last.from < last.to;
}

/** The longer one knows best what is to stand there. */
function both(first: Splice, second: Splice): Splice {
  const rule = first.rule ?? second.rule;
  return {
    from: first.from,
    to: Math.max(first.to, second.to),
    by: first.by === '' ? second.by : first.by,
    ...(rule !== undefined && { rule }),
  };
}
