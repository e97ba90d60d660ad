import { addEvent, createTrace, runEndEvent, runStartEvent, type Trace, type TraceEvent } from '@stepfork/trace-format';

/** A trace of one completed run of `agent` around the given events, as one builds it by hand: without hashes. */
export function traceOf(events: readonly TraceEvent[], output: unknown = null): Trace {
  const trace = createTrace({ agentName: 'agent', status: 'completed' });
  addEvent(trace, runStartEvent({ input: null }));
  for (const event of events) addEvent(trace, event);
  addEvent(trace, runEndEvent({ run_status: 'completed', output: output as null }));
  return trace;
}
