import { type CallOutcome, canonicalJson } from '@stepfork/trace-format';
import type { Ambiguity, PlannedCall } from './planned-call.js';

type Draft = Pick<PlannedCall, 'fingerprint' | 'frame' | 'redacted' | 'start' | 'end' | 'outcome' | 'stream'>;

/**
 * Per call, whether identical calls of its frame ended differently, so that only order says which answer is its
 * own. Where one of them overlapped it, not even the recording knows that order for sure.
 */
export function ambiguities(calls: readonly Draft[]): readonly Ambiguity[] {
  const found: Ambiguity[] = calls.map(() => 'none');
  for (const group of identicalCalls(calls)) {
    if (group.length === 1) continue;
    const outcomes = new Map(group.map((index) => [index, answerText(calls[index] as Draft)]));
    if (new Set(outcomes.values()).size === 1) continue;
    const contested = overlapping(group, calls, outcomes);
    for (const index of group) {
      if (!contested.has(index)) found[index] = 'apart';
      else found[index] = calls[index]?.redacted === true ? 'redaction' : 'order';
    }
  }
  return found;
}

function identicalCalls(calls: readonly Draft[]): Iterable<readonly number[]> {
  const groups = new Map<string, number[]>();
  calls.forEach(({ frame, fingerprint }, index) => {
    const key = `${frame} ${fingerprint}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  });
  return groups.values();
}

/**
 * Those of the group that were going on together with one that ended differently. One sweep over their starts and
 * ends: linear, also for a thousand identical calls in flight at once.
 */
function overlapping(
  group: readonly number[],
  calls: readonly Draft[],
  outcomes: ReadonlyMap<number, string>,
): ReadonlySet<number> {
  const started = new Count();
  const running = new Count();
  const othersBefore = new Map<number, number>();
  const found = new Set<number>();
  for (const { index, starts } of edgesOf(group, calls)) {
    const outcome = outcomes.get(index) ?? '';
    if (starts) {
      if (running.others(outcome) > 0) found.add(index);
      othersBefore.set(index, started.others(outcome));
      started.add(outcome, 1);
      running.add(outcome, 1);
    } else {
      if (started.others(outcome) > (othersBefore.get(index) ?? 0)) found.add(index);
      running.add(outcome, -1);
    }
  }
  return found;
}

/** How many there are of each outcome. */
class Count {
  readonly #of = new Map<string, number>();
  #all = 0;

  add(outcome: string, n: number): void {
    this.#of.set(outcome, (this.#of.get(outcome) ?? 0) + n);
    this.#all += n;
  }

  others(outcome: string): number {
    return this.#all - (this.#of.get(outcome) ?? 0);
  }
}

function edgesOf(group: readonly number[], calls: readonly Draft[]): readonly { index: number; starts: boolean }[] {
  return group
    .flatMap((index) => {
      const { start, end } = calls[index] as Draft;
      return [
        { index, starts: true, position: start.position },
        { index, starts: false, position: end?.position ?? Number.POSITIVE_INFINITY },
      ];
    })
    .sort((a, b) => (a.position === b.position ? 0 : a.position - b.position));
}

/** All that its caller was given. What a stream gave stands in its outcome only where it came to a good end. */
function answerText({ outcome, stream }: Draft): string {
  const text = outcomeText(outcome);
  return stream === null ? text : `${text} after ${canonicalJson(stream.chunks.map(({ data }) => data))}`;
}

function outcomeText(outcome: CallOutcome | null): string {
  if (outcome === null) return 'none';
  return outcome.type === 'returned'
    ? `returned ${canonicalJson(outcome.output)}`
    : `threw ${canonicalJson([outcome.errorType, outcome.message, outcome.details ?? null])}`;
}
