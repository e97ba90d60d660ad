/** As many digits as a person takes in at once. */
const SHORTEST = 8;

/**
 * The shortest beginning, of eight characters at least, that names each run among these; `run_` is left away. The same
 * run may lie there twice, packed and not.
 */
export function shortIds(runIds: Iterable<string>): ReadonlyMap<string, string> {
  const sorted = [...new Set(runIds)].sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
  const short = new Map<string, string>();
  for (const [at, id] of sorted.entries()) {
    const shared = Math.max(sharedLength(id, sorted[at - 1]), sharedLength(id, sorted[at + 1]));
    short.set(id, bare(id).slice(0, Math.max(SHORTEST, shared + 1)));
  }
  return short;
}

/** Whether a run's id begins with what somebody typed, with or without `run_`. */
export function isNamedBy(runId: string, typed: string): boolean {
  return runId.startsWith(typed) || bare(runId).startsWith(typed);
}

const bare = (runId: string): string => (/^run_./.test(runId) ? runId.slice(4) : runId);

function sharedLength(id: string, other: string | undefined): number {
  const [a, b] = [bare(id), bare(other ?? '')];
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
