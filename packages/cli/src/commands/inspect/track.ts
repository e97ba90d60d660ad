import type { Span } from './lanes.js';

/** Columns that the whole run takes. */
export const TRACK_WIDTH = 16;

/**
 * When each call was open, as a bar in front of its outcome: its place within the run, and its length. Other events
 * have an empty track.
 *
 * @param times milliseconds of each event
 */
export function tracksOf(times: readonly number[], spans: readonly Span[]): readonly string[] {
  const known = times.filter((time) => !Number.isNaN(time));
  const first = known.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const whole = known.reduce((most, time) => Math.max(most, time), first) - first;
  const tracks = times.map(() => ' '.repeat(TRACK_WIDTH));
  if (!(whole > 0)) return tracks;
  const column = (time: number): number => Math.floor(((time - first) / whole) * TRACK_WIDTH);
  for (const { start, end } of spans) {
    const [made, ended] = [times[start], times[end ?? start]];
    if (end === null || made === undefined || ended === undefined || Number.isNaN(made + ended)) continue;
    const from = Math.min(column(made), TRACK_WIDTH - 1);
    const to = Math.min(TRACK_WIDTH, Math.max(from + 1, column(ended)));
    tracks[end] = `${' '.repeat(from)}${'━'.repeat(to - from)}${' '.repeat(TRACK_WIDTH - to)}`;
  }
  return tracks;
}
