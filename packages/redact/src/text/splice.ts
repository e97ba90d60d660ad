/** What a finding says of the rule that struck. */
export interface RuleName {
  /** Its own name, or the reason where it has none. */
  readonly id: string;
  readonly reason: string;
}

/** A span of a text, and what stands there instead. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly by: string;
  /** Which rule said so, where it is known. */
  readonly rule?: RuleName;
}

/** What most rules have to say of most texts. */
export const NO_SPLICES: readonly Splice[] = [];

/** The text with each span replaced. The splices are in order and do not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let end = 0;
  for (const { from, to, by } of splices) {
    result += text.slice(end, from) + by;
    end = to;
  }
  return splices.length === 0 ? text : result + text.slice(end);
}

/**
 * One list of splices that does what `first` does and then, to its result `between`, `second`. Splices that overlap
 * there become one.
 */
export function composed(first: readonly Splice[], second: readonly Splice[], between: string): readonly Splice[] {
  if (first.length === 0) return second;
  const result: Splice[] = [];
  /** How far the text between lies ahead of the source. */
  let shift = 0;
  let a = 0;
  let b = 0;
  while (a < first.length || b < second.length) {
    const from = Math.min(startIn(first[a], shift), second[b]?.from ?? Number.POSITIVE_INFINITY);
    const start = from - shift;
    let to = from;
    const changes: Splice[] = [];
    let rule: RuleName | undefined;
    // Takes in whatever overlaps what was taken in before.
    for (;;) {
      const old = first[a];
      const fresh = second[b];
      if (old !== undefined && overlaps(startIn(old, shift), to, from)) {
        to = Math.max(to, startIn(old, shift) + old.by.length);
        rule ??= old.rule;
        shift += old.by.length - (old.to - old.from);
        a++;
      } else if (fresh !== undefined && overlaps(fresh.from, to, from)) {
        to = Math.max(to, fresh.to);
        rule ??= fresh.rule;
        changes.push({ from: fresh.from - from, to: fresh.to - from, by: fresh.by });
        b++;
      } else break;
    }
    const by = spliced(between.slice(from, to), changes);
    result.push({ from: start, to: to - shift, by, ...(rule !== undefined && { rule }) });
  }
  return result;
}

function startIn(splice: Splice | undefined, shift: number): number {
  return splice === undefined ? Number.POSITIVE_INFINITY : splice.from + shift;
}

/** Whether something that starts at `start` lies in a range so far, or begins it. */
function overlaps(start: number, to: number, from: number): boolean {
  return start < to || (start === from && to === from);
}
