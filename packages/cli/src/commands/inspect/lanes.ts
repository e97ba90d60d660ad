/** From a call to its outcome, as positions among the events. */
export interface Span {
  readonly start: number;
  /** null for a call without an outcome. */
  readonly end: number | null;
}

/** More lines beside one another nobody follows. */
const MOST_LANES = 8;

/**
 * What stands in front of each event: a line for each call that is open there, `┌` where it was made and `└` where it
 * ended. A call whose outcome follows it at once needs none. All of one width, which is 0 where nothing overlaps.
 */
export function lanesOf(events: number, spans: readonly Span[]): readonly string[] {
  const lanes: (readonly Required<Span>[])[] = [];
  for (const { start, end } of spans) {
    if (end === start + 1 || (end === null && start >= events - 2)) continue;
    const free = lanes.findIndex((taken) => isOver(taken.at(-1), start));
    const lane = free === -1 ? lanes.length : free;
    if (lane < MOST_LANES) lanes[lane] = [...(lanes[lane] ?? []), { start, end }];
  }
  const rows = Array.from({ length: events }, () => lanes.map(() => ' '));
  for (const [lane, taken] of lanes.entries()) {
    for (const { start, end } of taken) {
      for (let at = start; at <= (end ?? events - 1); at++) {
        const row = rows[at];
        if (row !== undefined) row[lane] = at === start ? '┌' : at === end ? '└' : '│';
      }
    }
  }
  return rows.map((row) => (row.length === 0 ? '' : `${row.join('')} `));
}

const isOver = (last: Span | undefined, at: number): boolean =>
  last === undefined || (last.end !== null && last.end < at);

/** How many calls were open at once, at most. */
export function mostAtOnce(spans: readonly Span[]): number {
  const changes = spans.flatMap(({ start, end }) => [
    [start, 1] as const,
    ...(end === null ? [] : [[end, -1] as const]),
  ]);
  let open = 0;
  let most = 0;
  for (const [, change] of changes.sort(([a], [b]) => a - b)) {
    open += change;
    most = Math.max(most, open);
  }
  return most;
}
