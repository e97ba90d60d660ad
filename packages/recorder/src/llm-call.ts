import { StepforkError } from '@stepfork/trace-format/write';
import type { LlmUsage } from './boundary/handler.js';

/** A request to a model that no function wraps, told of by hand. */
export interface LlmCallRequest {
  readonly provider?: string | null | undefined;
  readonly model: string;
  readonly input: unknown;
}

/**
 * What came of the request; to be told once. It is recorded and nothing else: a replay runs the agent's own code, and
 * so makes the request again.
 */
export interface LlmCall {
  /** @param usage tokens, cost and model; without it they are read from the usual places of the response. */
  readonly respond: (response: unknown, usage?: LlmUsage) => void;
  readonly fail: (thrown: unknown) => void;
}

/** Nobody listens: in a replay, and in a run that is not recorded. */
export const UNHEARD: LlmCall = { respond: () => {}, fail: () => {} };

/** The handle that the agent holds: one answer, while the run goes on. */
export function onceAnswered(call: LlmCall, model: string, checkOpen: (method: string) => void): LlmCall {
  let answered = false;
  const answer = (method: string): void => {
    checkOpen(`llmCall().${method}`);
    if (answered) {
      const message = `the outcome of the LLM call to '${model}' was told already; call respond() or fail() once`;
      throw new StepforkError('llm_call_answered', message);
    }
    answered = true;
  };
  return {
    respond(response, usage) {
      answer('respond');
      call.respond(response, usage);
    },
    fail(thrown) {
      answer('fail');
      call.fail(thrown);
    },
  };
}
