import { isStepforkError, type RecordedCall, type Trace } from '@stepfork/trace-format';

const NONE: ReadonlySet<string> = new Set();

/**
 * Ids of the calls that a replay could tell from an identical one by nothing but their order, since both went on at the
 * same time and ended differently. What works that out is loaded only where it may be so.
 */
export async function ambiguousCalls(trace: Trace, calls: readonly RecordedCall[]): Promise<ReadonlySet<string>> {
  if (!haveOverlappingNamesakes(calls)) return NONE;
  const { createPlan } = await import('@stepfork/replay');
  try {
    const unclear = createPlan(trace).calls.filter(
      ({ ambiguity }) => ambiguity === 'order' || ambiguity === 'redaction',
    );
    return new Set(unclear.map(({ event }) => event.id));
  } catch (error) {
    // A trace that cannot be replayed can be looked at all the same.
    if (isStepforkError(error)) return NONE;
    throw error;
  }
}

/** Whether two calls of one name within one call went on at the same time. */
function haveOverlappingNamesakes(calls: readonly RecordedCall[]): boolean {
  const ends = new Map<string, number>();
  return calls.some(({ kind, name, provider, frame, position, outcome }) => {
    const key = JSON.stringify([frame, kind, provider, name]);
    const open = (ends.get(key) ?? -1) > position;
    ends.set(key, Math.max(ends.get(key) ?? -1, outcome?.position ?? Number.POSITIVE_INFINITY));
    return open;
  });
}
