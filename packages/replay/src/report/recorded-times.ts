import type { Json } from '@stepfork/trace-format';
import type { RecordedRun } from '../plan/recorded-run.js';
import type { Difference } from '../report.js';

/** Milliseconds by which a time may lie outside the recorded run: texts often keep whole seconds only. */
const TOLERANCE = 5_000;
/** ISO 8601 with a zone, or the seconds or milliseconds since the epoch of a day in this century. */
const TIME =
  /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)|(?<![\d.])\d{10}(?:\d{3})?(?:\.\d+)?(?!\d)/g;

/** Whether two values are alike but for times, and these are of the recorded run, or nearly. */
export function areTimesOf({ began, duration }: RecordedRun): (difference: Difference) => boolean {
  const isNear = (ms: number): boolean => ms >= began.startMs - TOLERANCE && ms <= began.startMs + duration + TOLERANCE;
  const withoutTimes = (value: Json): string | null => {
    const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
    return text?.replace(TIME, (time) => (isNear(msOf(time)) ? '(time)' : time)) ?? null;
  };
  return ({ kind, recorded, actual }) => {
    const rest = kind === 'changed' ? withoutTimes(recorded) : null;
    return rest !== null && rest === withoutTimes(actual);
  };
}

function msOf(time: string): number {
  if (time.includes('T')) return Date.parse(time.replace(',', '.'));
  const number = Number(time);
  return number < 1e11 ? number * 1_000 : number;
}
