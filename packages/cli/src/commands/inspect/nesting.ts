import type { RecordedCall, TraceEvent } from '@stepfork/trace-format';

/**
 * How many calls stand around each event. A call's own outcome stands beside it; what hangs on an outcome (the
 * error of a failed tool, the next link of a chain-linked bundle) stands where that outcome stands.
 */
export function nestingOf(events: readonly TraceEvent[], calls: readonly RecordedCall[]): number[] {
  const depths = new Map<string, number>();
  const callIds = new Set<string>();
  const outcomeOf = new Map<number, string>();
  for (const call of calls) {
    const enclosing = call.frame === null ? undefined : calls[call.frame];
    depths.set(call.event.id, enclosing === undefined ? 0 : (depths.get(enclosing.event.id) ?? 0) + 1);
    callIds.add(call.event.id);
    if (call.outcome !== null) outcomeOf.set(call.outcome.position, call.event.id);
  }
  return events.map((event, position) => {
    const known = callIds.has(event.id) ? depths.get(event.id) : depths.get(outcomeOf.get(position) ?? '');
    const parent = event.parent_id ?? '';
    const depth = known ?? (depths.get(parent) ?? 0) + (callIds.has(parent) && !isOutcome(event) ? 1 : 0);
    depths.set(event.id, depth);
    return depth;
  });
}

const isOutcome = ({ type }: TraceEvent): boolean =>
  type === 'tool_result' || type === 'llm_response' || type === 'error';
