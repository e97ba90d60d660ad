import type { TraceEvent } from '@stepfork/trace-format';

/**
 * Per event, milliseconds since the first one. An unreadable time and a clock that was set back count as no time
 * passed, so the line never decreases.
 */
export function timelineOf(events: readonly TraceEvent[]): readonly number[] {
  let origin: number | null = null;
  let latest = 0;
  return events.map(({ timestamp }) => {
    const at = Date.parse(timestamp);
    if (Number.isNaN(at)) return latest;
    origin ??= at;
    latest = Math.max(latest, at - origin);
    return latest;
  });
}
