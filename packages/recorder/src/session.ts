import { StepforkError, toWellFormed } from '@stepfork/trace-format/write';
import { isName } from './boundary/check.js';
import { describeThrown } from './boundary/thrown.js';
import { warnOnce } from './boundary/warning.js';
import { type LlmCall, type LlmCallRequest, onceAnswered, UNHEARD } from './llm-call.js';

/** What a run may tell of itself. Handed to the function given to `record`. */
export interface Session {
  readonly runId: string;
  /** Sets the run's output, in place of what the function returns. It is recorded as it is when the run ends. */
  readonly setOutput: (value: unknown) => void;
  /** Records that the agent's own state changed. */
  readonly stateChange: (key: string, before: unknown, after: unknown) => void;
  /** Records an error that the agent dealt with itself. The run does not fail by it. */
  readonly error: (thrown: unknown) => void;
  /**
   * Records a request to a model that no function wraps. Unlike `llmRequest` it is not answered by a replay, where
   * the agent makes its request again.
   */
  readonly llmCall: (request: LlmCallRequest) => LlmCall;
}

/** What listens to a session. A session that nobody listens to is inert, and works the same for its run. */
export interface SessionListener {
  readonly runId: string;
  readonly stateChange?: (key: string, before: unknown, after: unknown) => void;
  readonly error?: (thrown: unknown) => void;
  readonly llmCall?: (request: LlmCallRequest) => LlmCall;
}

/** A session as the run's keeper holds it. */
export interface OpenSession {
  readonly session: Session;
  readonly isOver: () => boolean;
  readonly hasOutput: () => boolean;
  /** Throws where the run is over: a method of that name was called too late. */
  readonly checkOpen: (method: string) => void;
  /** The run is over: what it came to, and no more of the session. */
  readonly end: (returned: unknown) => unknown;
}

export function createSession(agentName: string, listener: SessionListener): OpenSession {
  let ended = false;
  let output: { readonly value: unknown } | null = null;
  const checkOpen = (method: string): void => {
    if (!ended) return;
    const message = `session.${method}() was called after the run of agent '${agentName}' had ended; await it inside the run`;
    throw new StepforkError('session_ended', message, { details: { run_id: listener.runId } });
  };
  return {
    session: {
      runId: listener.runId,
      setOutput(value) {
        checkOpen('setOutput');
        output = { value };
      },
      stateChange(key, before, after) {
        checkOpen('stateChange');
        listener.stateChange?.(nameFor(key, 'session.stateChange()'), before, after);
      },
      error(thrown) {
        checkOpen('error');
        listener.error?.(thrown);
      },
      llmCall(request) {
        checkOpen('llmCall');
        const model = nameFor(request.model, 'session.llmCall()');
        return onceAnswered(listener.llmCall?.({ ...request, model }) ?? UNHEARD, model, checkOpen);
      },
    },
    isOver: () => ended,
    hasOutput: () => output !== null,
    checkOpen,
    end(returned) {
      ended = true;
      return output === null ? returned : output.value;
    },
  };
}

/** An odd name must not stop an agent that works without Stepfork; it is recorded as far as the format can hold it. */
function nameFor(name: unknown, where: string): string {
  if (isName(name)) return name;
  const message = `${where} was given a name that is no text, empty, or half a character; give it a plain text`;
  warnOnce('odd_name', where, message);
  return typeof name === 'string' ? toWellFormed(name) || 'unnamed' : describeThrown(name).message;
}
