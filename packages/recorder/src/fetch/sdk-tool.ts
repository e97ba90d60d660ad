import type { ErrorClass } from '../boundary/handler.js';
import { traceTool } from '../boundary/tool.js';
import { type AnyFunction, isTraced } from '../boundary/traced.js';

/** A tool whose body an SDK calls. */
export interface SdkTool {
  readonly name: string;
  /** Classes of errors that mean something to the SDK. */
  readonly errors?: readonly ErrorClass[];
  /** What is recorded of what the model asked for; that itself where nothing is said. */
  readonly input?: (asked: unknown) => unknown;
}

/** Those that this file made, which an SDK may be given again. */
const made = new WeakSet<AnyFunction>();

/**
 * The body of a tool, traced by what the model asked for alone: runners, contexts and signals, which an SDK passes
 * beside it, are no part of that. One that is a `traceTool` keeps its own name and options; since they know nothing of
 * an SDK, it is called without what it does not take.
 */
export function traceSdkTool(body: AnyFunction, { name, errors, input = (asked) => asked }: SdkTool): AnyFunction {
  if (made.has(body)) return body;
  const traced = isTraced(body)
    ? withoutExtras(body)
    : traceTool({ name, errors, input: (asked) => input(asked) }, body as (asked: unknown) => unknown);
  made.add(traced);
  return traced;
}

function withoutExtras(body: AnyFunction): AnyFunction {
  return body.length > 1 ? body : (asked: never) => body(asked);
}
