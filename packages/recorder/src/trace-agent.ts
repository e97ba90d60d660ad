import { types } from 'node:util';
import { createRedactor } from '@stepfork/redact';
import { checkFunction, checkName } from './boundary/check.js';
import { toRunInput } from './boundary/run-input.js';
import { type AnyFunction, callAs, withCalls } from './boundary/traced.js';
import { checkOptions } from './check-options.js';
import { isDisabled } from './disabled.js';
import type { RecordingOptions } from './options.js';
import { runAgent } from './run.js';

/** How a traced agent is recorded. */
export interface AgentOptions extends RecordingOptions {
  readonly name: string;
}

/**
 * Makes each call of `fn` a recorded run, its arguments the run's input. The function is of the very same type:
 * the one that production calls, and the one that a replay is given. A call whose bundle cannot be made runs
 * unrecorded, with a warning and `onError`.
 *
 * @throws StepforkError `invalid_argument`, `bad_redaction_rule`
 */
export function traceAgent<F extends AnyFunction>(name: string, fn: F): F;
export function traceAgent<F extends AnyFunction>(options: AgentOptions, fn: F): F;
export function traceAgent<F extends AnyFunction>(agent: string | AgentOptions, fn: F): F {
  const { name, ...options }: AgentOptions = typeof agent === 'string' ? { name: agent } : agent;
  checkName(name, 'traceAgent');
  checkFunction(fn, `traceAgent('${name}')`);
  checkOptions(options, `traceAgent('${name}')`);
  if (isDisabled()) return fn;
  // A bad rule is an error where it is written, not at the first call in production.
  if (options.redact !== undefined) createRedactor(options.redact);

  const rejects = types.isAsyncFunction(fn);
  const call = (self: unknown, args: readonly unknown[]): unknown => {
    try {
      const body = (): unknown => callAs(fn, self, args);
      return runAgent({ name, options }, toRunInput(args), 'report', body, rejects ? 'own' : 'shared');
    } catch (thrown) {
      // Only a refusal comes here from an async function, which itself never throws.
      if (rejects) return Promise.reject(thrown);
      throw thrown;
    }
  };
  return withCalls(fn, (self, args) => () => call(self, args), false);
}
