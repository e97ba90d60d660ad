import type { Row } from '../bench.js';
import { median } from './median.js';

/** Something to be timed, beside others of the same work. */
export interface Case {
  readonly name: string;
  /** Does the work `times` times, and answers something that depends on it, so that nothing can be left out. */
  readonly run: (times: number) => unknown;
  /** Before and after each round, untimed. */
  readonly before?: () => unknown;
  readonly after?: () => unknown;
  readonly note?: string;
}

export interface RoundsOptions {
  /** How often each case is timed. */
  readonly rounds: number;
  /** Runs of the work in one timing. */
  readonly times: number;
  /** Name of the case that ratios are by. */
  readonly reference: string;
  /** Units in a nanosecond: 1000 for microseconds. */
  readonly nanoseconds: number;
}

let sink: unknown;

/**
 * Times all cases in turn, round after round, so that a slow minute of the machine falls on all of them. A case's
 * ratio is the median of its ratios within the rounds.
 */
export async function measureRounds(cases: readonly Case[], options: RoundsOptions): Promise<readonly Row[]> {
  const times = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
  for (let round = -1; round < options.rounds; round++) {
    for (const each of rotated(cases, round)) {
      const taken = await timeOnce(each, options.times);
      // The first round warms up.
      if (round >= 0) times.get(each.name)?.push(taken / options.times / options.nanoseconds);
    }
  }
  return toRows(cases, times, options.reference);
}

/** Rows of what was measured in rounds, whatever measured it. */
export function toRows(
  cases: readonly { readonly name: string; readonly note?: string }[],
  measured: ReadonlyMap<string, readonly number[]>,
  reference: string,
): readonly Row[] {
  const base = measured.get(reference) ?? [];
  return cases.map(({ name, note }) => {
    const own = measured.get(name) ?? [];
    const ratio = name === reference ? null : median(own.map((value, round) => value / (base[round] ?? Number.NaN)));
    return { name, value: median(own), ratio, ...(note === undefined ? {} : { note }) };
  });
}

async function timeOnce(each: Case, times: number): Promise<number> {
  await each.before?.();
  const start = process.hrtime.bigint();
  sink = await each.run(times);
  const taken = Number(process.hrtime.bigint() - start);
  await each.after?.();
  return taken;
}

/** What the cases answered last: read by nobody, and yet not to be left out. */
export function consumed(): unknown {
  return sink;
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const at = ((by % list.length) + list.length) % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
