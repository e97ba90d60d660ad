import { isStepforkError, newRunId } from '@stepfork/trace-format/write';
import { describe } from './boundary/describe.js';
import type { Frame, InnerRun, StreamTaken } from './boundary/handler.js';
import { frameHere } from './boundary/here.js';
import { type Outcome, observe } from './boundary/observe.js';
import type { Belongs } from './boundary/promise/follow.js';
import { refusalOf } from './boundary/reach.js';
import { slot } from './boundary/slot.js';
import { UnrecordedRun } from './boundary/unrecorded.js';
import { warnOnce } from './boundary/warning.js';
import { isSampled } from './choices.js';
import { isDisabled } from './disabled.js';
import { recorderFailure, reportFailure } from './failure.js';
import type { Agent } from './options.js';
import { Recording } from './recording/recording.js';
import { createSession, type Session, type SessionListener } from './session.js';
import { type StreamedEnd, StreamedOutput } from './streamed-output.js';

/** Runs the agent once, with the session of its run. */
export type Body = (session: Session) => unknown;

/** A run that has begun. */
export interface BegunRun {
  readonly listener: SessionListener;
  /** The frame in which the agent is to run; null where it is to run in the present one. */
  readonly frame: Frame | null;
  /** The frame that the run is a part of, or its own; null where there is none. */
  readonly inside: Frame | null;
  readonly completed: (output: unknown, taken?: StreamTaken) => void;
  readonly threw: (thrown: unknown, taken?: StreamTaken) => void;
  /** The agent answered with a stream, whose end will be the run's. `leave` ends the run as it is. */
  readonly streams: (leave: () => void) => void;
}

/** Faults of the caller's own making, said before anything runs. Everything else about a bundle is the recorder's. */
const CONFLICTS = ['output_busy', 'output_exists', 'not_a_bundle', 'bad_redaction_rule'] as const;

/**
 * Begins a run of an agent: recorded; or part of the run that it is reached in; or, with the recorder switched off or
 * failing, or the run sampled out, for itself.
 *
 * @param conflicts what becomes of a conflict about the bundle: thrown, or told while the agent runs unrecorded
 * @param here the frame that the run is reached in
 */
export function beginRun(
  agent: Agent,
  input: unknown,
  conflicts: 'throw' | 'report',
  here: Frame | undefined,
): BegunRun {
  if (isDisabled()) return { ...UNHEARD, listener: { runId: newRunId() } };
  const handler = here?.handler;
  if (handler !== undefined) {
    const refusal = refusalOf(handler, { kind: 'agent', name: agent.name });
    if (refusal === null) {
      if (handler.mode === 'record' && handler.unrecorded !== true) warnOfOutput(agent);
      return partOf(handler.innerRun(agent.name), here ?? null);
    }
    if (handler.mode !== 'record') throw refusal;
    // Reached through what a recorded run left behind: a run of its own.
  }
  const run = (isSampled(agent, input) ? open(agent, input, conflicts) : null) ?? new UnrecordedRun(newRunId());
  return {
    listener: run,
    frame: run.frame,
    inside: run.frame,
    completed: (output, taken) => run.completed(output, taken),
    threw: (thrown, taken) => run.threw(thrown, taken),
    streams: (leave) => run.streams(leave),
  };
}

const UNHEARD: Omit<BegunRun, 'listener'> = {
  frame: null,
  inside: null,
  completed: () => {},
  threw: () => {},
  streams: () => {},
};

/**
 * Runs the agent once; it answers as `body` does.
 *
 * @param belongs whose the promise is that it may answer with
 */
export function runAgent(
  agent: Agent,
  input: unknown,
  conflicts: 'throw' | 'report',
  body: Body,
  belongs: Belongs,
): unknown {
  const here = frameHere();
  const run = beginRun(agent, input, conflicts, here);
  const open = createSession(agent.name, run.listener);
  const { frame, inside } = run;
  const over = (end: StreamedEnd): void => {
    const output = open.end('output' in end ? end.output : undefined);
    if ('error' in end) run.threw(end.error, end.taken);
    else run.completed(output, end.taken);
  };
  const outcome: Outcome = {
    returned: (value) => {
      const streamed = inside === null ? null : new StreamedOutput(inside, here, over);
      if (streamed?.isOf(value)) run.streams(() => streamed.leftUnread());
      else run.completed(open.end(value));
      return value;
    },
    threw: (thrown) => {
      open.end(undefined);
      run.threw(thrown);
    },
  };
  const agentItself = (): unknown => body(open.session);
  return observe(() => (frame === null ? agentItself() : slot().frames.run(frame, agentItself)), outcome, { belongs });
}

function open(agent: Agent, input: unknown, conflicts: 'throw' | 'report'): Recording | null {
  try {
    return new Recording(agent, input);
  } catch (cause) {
    if (conflicts === 'throw' && CONFLICTS.some((code) => isStepforkError(cause, code))) throw cause;
    const failure = recorderFailure(cause, `agent '${agent.name}' runs unrecorded`);
    reportFailure(agent.name, failure, agent.options.onError);
    return null;
  }
}

/** A run inside another is a part of that one, which is told what it came to. */
function partOf(inner: InnerRun, inside: Frame | null): BegunRun {
  return {
    listener: inner,
    frame: null,
    inside,
    completed: (output, taken) => inner.settled({ output, ...(taken && { taken }) }),
    threw: (error, taken) => inner.settled({ error, ...(taken && { taken }) }),
    streams: () => {},
  };
}

function warnOfOutput(agent: Agent): void {
  if (agent.options.output === undefined) return;
  const name = describe({ kind: 'agent', name: agent.name });
  const message = `${name} ran inside a recorded run and is part of its bundle; its own output path was not used`;
  warnOnce('nested_run', name, message);
}
