import type { Json, JsonObject, RecordedCall, Trace, TraceEvent } from '@stepfork/trace-format/write';
import { pairCalls } from '@stepfork/trace-format/write';
import type { ComparedInput } from '../ignore/ignored-places.js';
import type { DiffStep } from '../result.js';
import { isSameValue } from '../value/same-value.js';
import { framesOf } from './frames.js';

/** The type of a step that takes no part: nothing on the other side has it, so nothing is its counterpart. */
export const LEFT_OUT = 'left-out';

/** One thing a run did, as far as it is compared. */
export interface Step {
  readonly type: DiffStep['type'] | typeof LEFT_OUT;
  readonly label: string;
  /** What is compared, field by field. */
  readonly fields: JsonObject;
  /** When it began and ended, as positions among the run's events; `Infinity` for a call that never ended. */
  readonly began: number;
  readonly ended: number;
  /** Index of the step in which it happened, or -1. An error of a call happened in that call. */
  readonly frame: number;
}

/** A step that takes part. */
export interface ComparedStep extends Step {
  readonly type: DiffStep['type'];
}

/** The steps of two runs. */
export interface Sides {
  readonly a: readonly Step[];
  readonly b: readonly Step[];
}

/**
 * The compared steps of a trace, in the order in which they began.
 *
 * @param compared what of a call's input counts
 */
export function stepsOf({ events }: Trace, compared: ComparedInput): readonly Step[] {
  const calls = pairCalls(events);
  const frames = framesOf(events, calls);
  const answers = answersOf(events, calls);
  const stepOfCall: number[] = [];
  const steps: Step[] = [];
  for (let position = 0; position < events.length; position++) {
    if (answers[position] === 1) continue;
    const call = calls[stepOfCall.length];
    if (call?.position === position) {
      stepOfCall.push(steps.length);
      const frame = call.frame === null ? -1 : (stepOfCall[call.frame] as number);
      steps.push(callStep(call, frame, compared(call, call.input)));
      continue;
    }
    const told = comparedEvent(events[position] as TraceEvent);
    if (told === null) continue;
    const frame = told.type === 'run' ? -1 : frames(position);
    steps.push({
      ...told,
      began: position,
      ended: position,
      frame: frame < 0 ? -1 : (stepOfCall[frame] as number),
    });
  }
  return steps;
}

/** By position: 1 for what a call returned, which is compared with the call. Half of all events need no look then. */
function answersOf(events: readonly TraceEvent[], calls: readonly RecordedCall[]): Uint8Array {
  const answers = new Uint8Array(events.length);
  for (let at = 0; at < calls.length; at++) {
    const outcome = (calls[at] as RecordedCall).outcome;
    if (outcome?.type === 'returned') answers[outcome.position] = 1;
  }
  return answers;
}

function callStep(call: RecordedCall, frame: number, input: Json): Step {
  const { kind, name, provider, outcome, position } = call;
  return {
    type: kind,
    label: kind === 'llm' && provider ? `${provider}/${name}` : name,
    fields: { input, output: outcome?.output ?? null, status: statusOf(call) },
    began: position,
    ended: outcome?.position ?? Infinity,
    frame,
  };
}

/** A call without an outcome was skipped, as the format has it. */
function statusOf({ outcome }: RecordedCall): string {
  if (outcome === null) return 'skipped';
  return outcome.type === 'threw' ? 'error' : outcome.event.status;
}

function comparedEvent(event: TraceEvent): Pick<ComparedStep, 'type' | 'label' | 'fields'> | null {
  switch (event.type) {
    case 'state_change': {
      const { key, before = null, after = null } = event;
      return { type: 'state', label: key ?? 'state', fields: { after, before } };
    }
    case 'error':
      return { type: 'error', label: event.error_type, fields: { message: event.message } };
    case 'run_end':
      return { type: 'run', label: 'run', fields: { output: event.output ?? null, run_status: event.run_status } };
    default:
      return null;
  }
}

/** What was done, without how it ended: two calls with the same are the same call. */
export function subjectOf({ type, fields }: Step): Json {
  return type === 'tool' || type === 'llm' ? (fields.input as Json) : fields;
}

/** Whether two steps are the same in everything that is compared. */
export function isSameStep(a: Step, b: Step): boolean {
  return a.type === b.type && a.label === b.label && isSameValue(a.fields, b.fields);
}
