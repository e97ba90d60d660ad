import {
  addEvent,
  createTrace,
  errorEvent,
  type Json,
  llmRequestEvent,
  llmResponseEvent,
  type RunStatus,
  runEndEvent,
  runStartEvent,
  stateChangeEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';

/** Something a run does. */
export type Deed = ToolDeed | LlmDeed | StateDeed | FanOut;

interface Ending {
  readonly output?: Json;
  /** A message: the call fails with a ToolTimeout. */
  readonly failure?: string;
  /** The run ends before the call does. */
  readonly open?: true;
}
export interface ToolDeed extends Ending {
  readonly tool: string;
  readonly input?: Json;
  /** What happens in the tool's body. */
  readonly inside?: readonly Deed[];
}
export interface LlmDeed extends Ending {
  readonly model: string;
  readonly provider?: string | null;
  readonly input?: Json;
}
export interface StateDeed {
  readonly state: string | null;
  readonly before?: Json;
  readonly after?: Json;
}
/** Calls that are all begun, in order, before the first one ends. */
export interface FanOut {
  readonly all: readonly (ToolDeed | LlmDeed)[];
  /** In which order they end, as indexes; default: as they began. */
  readonly ends?: readonly number[];
}

export interface RunEnding {
  readonly output?: Json;
  readonly status?: RunStatus;
  /** The run never ends. */
  readonly open?: true;
  /** The run is a replay of this one. */
  readonly replayOf?: Trace;
}

/** A trace of a run that did this. Ids and times are new each time. */
export function runOf(deeds: readonly Deed[], { output, status = 'completed', open, replayOf }: RunEnding = {}): Trace {
  const tags = replayOf === undefined ? undefined : { replay_of: replayOf.run_id };
  const trace = createTrace({ agentName: 'agent', status: open ? 'running' : 'completed', ...(tags && { tags }) });
  addEvent(trace, runStartEvent({ input: { at: trace.run_id } }));
  for (const deed of deeds) perform(trace, deed, null);
  if (!open) addEvent(trace, runEndEvent({ run_status: status, ...(output === undefined ? {} : { output }) }));
  return trace;
}

function perform(trace: Trace, deed: Deed, parent: string | null): void {
  if ('state' in deed) {
    const { state, ...values } = deed;
    addEvent(trace, stateChangeEvent({ key: state, parent_id: parent, ...values }));
    return;
  }
  const calls = 'all' in deed ? deed.all : [deed];
  const ids = calls.map((call) => begin(trace, call, parent));
  const ends = ('all' in deed ? deed.ends : undefined) ?? calls.map((_, index) => index);
  for (const index of ends) {
    const call = calls[index] as ToolDeed | LlmDeed;
    const id = ids[index] as string;
    if ('inside' in call) for (const inner of call.inside ?? []) perform(trace, inner, id);
    if (!call.open) end(trace, call, id);
  }
}

function begin(trace: Trace, call: ToolDeed | LlmDeed, parent: string | null): string {
  const base = { parent_id: parent, input: call.input ?? {} };
  if ('tool' in call) return addEvent(trace, toolCallEvent({ ...base, name: call.tool })).id;
  return addEvent(trace, llmRequestEvent({ ...base, model: call.model, provider: call.provider ?? null })).id;
}

function end(trace: Trace, call: ToolDeed | LlmDeed, id: string): void {
  const { failure, output = null } = call;
  const error = { error_type: 'ToolTimeout', message: failure ?? '' };
  if ('model' in call) {
    if (failure === undefined) addEvent(trace, llmResponseEvent({ parent_id: id, output }));
    else addEvent(trace, errorEvent({ parent_id: id, ...error }));
    return;
  }
  const base = { name: call.tool, parent_id: id };
  if (failure === undefined) {
    addEvent(trace, toolResultEvent({ ...base, output }));
    return;
  }
  const result = addEvent(trace, toolResultEvent({ ...base, status: 'error', output: { ...error } }));
  addEvent(trace, errorEvent({ parent_id: result.id, ...error }));
}
