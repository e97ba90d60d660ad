import { isStepforkError, newRunId } from '@stepfork/trace-format/write';
import { describe } from './boundary/describe.js';
import type { InnerRun } from './boundary/handler.js';
import { observe } from './boundary/observe.js';
import { refusalOf } from './boundary/reach.js';
import { slot } from './boundary/slot.js';
import { warnOnce } from './boundary/warning.js';
import { isDisabled } from './disabled.js';
import { recorderFailure, reportFailure } from './failure.js';
import type { Agent } from './options.js';
import { Recording } from './recording/recording.js';
import { createSession, type Session, type SessionListener } from './session.js';

/** Runs the agent once, with the session of its run. */
export type Body = (session: Session) => unknown;

/** What is told of a run's end. */
interface RunEnd {
  readonly completed: (output: unknown) => void;
  readonly threw: (thrown: unknown) => void;
}

/** Faults of the caller's own making, said before anything runs. Everything else about a bundle is the recorder's. */
const CONFLICTS = ['output_busy', 'output_exists', 'not_a_bundle', 'bad_redaction_rule'] as const;

/**
 * One run of an agent: recorded; or part of the run that it is reached in; or, with the recorder switched off or
 * failing, for itself. It answers as `body` does.
 *
 * @param refuse what becomes of a conflict about the bundle: thrown, or told while the agent runs unrecorded
 */
export function runAgent(agent: Agent, input: unknown, conflicts: 'throw' | 'report', body: Body): unknown {
  if (isDisabled()) return runAlone(agent, body);
  const { frames } = slot();
  const handler = frames.getStore()?.handler;
  if (handler !== undefined) {
    const refusal = refusalOf(handler, { kind: 'agent', name: agent.name });
    if (refusal === null) return runInside(agent, handler.innerRun(agent.name), handler.mode, body);
    if (handler.mode !== 'record') throw refusal;
    // Reached through what a recorded run left behind: a run of its own.
  }
  const recording = open(agent, input, conflicts);
  if (recording === null) return runAlone(agent, body);
  return runWith(agent, recording, recording, (session) => frames.run(recording.frame, () => body(session)));
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

function runInside(agent: Agent, inner: InnerRun, mode: 'record' | 'replay', body: Body): unknown {
  if (mode === 'record' && agent.options.output !== undefined) {
    const name = describe({ kind: 'agent', name: agent.name });
    const message = `${name} ran inside a recorded run and is part of its bundle; its own output path was not used`;
    warnOnce('nested_run', name, message);
  }
  const end: RunEnd = {
    completed: (output) => inner.settled({ output }),
    threw: (error) => inner.settled({ error }),
  };
  return runWith(agent, inner, end, body);
}

function runAlone(agent: Agent, body: Body): unknown {
  return runWith(agent, { runId: newRunId() }, { completed: () => {}, threw: () => {} }, body);
}

function runWith(agent: Agent, listener: SessionListener, end: RunEnd, body: Body): unknown {
  const open = createSession(agent.name, listener);
  return observe(() => body(open.session), {
    returned: (value) => {
      end.completed(open.end(value));
      return value;
    },
    threw: (thrown) => {
      open.end(undefined);
      end.threw(thrown);
    },
  });
}
