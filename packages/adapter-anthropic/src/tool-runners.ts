import type { AnyFunction, ErrorClass } from '@stepfork/recorder/boundary';
import { traceSdkTool } from '@stepfork/recorder/fetch';

type Method = (...args: unknown[]) => unknown;

/** Takes the arguments of a method to others, and what it gives to something else. */
interface Change {
  readonly args?: (...args: unknown[]) => unknown[];
  readonly result?: (result: object) => void;
}

/** What of a client is changed: where its tools come in. */
interface Client {
  readonly beta?: { readonly messages?: object };
}

/**
 * Has the tools that a tool runner is given traced: with it, later, or by way of a thread. What a runner is, and all
 * else it does, stays the SDK's.
 */
export function traceToolRunners(client: object): void {
  const messages = (client as Client).beta?.messages;
  if (messages === undefined) return;
  const trace = tracerOf(messages);
  const params = (given: unknown): unknown => withTracedTools(given, trace);
  const ofRunner = (runner: object): void => {
    change(runner, 'addTools', { args: (...tools) => tools.map(trace) });
    change(runner, 'setMessagesParams', {
      args: (given) => [isFunction(given) ? (before: never) => params(given(before)) : params(given)],
    });
  };
  const ofThread = (thread: object): void => change(thread, 'toolRunner', { result: ofRunner });
  const args = (given: unknown, ...rest: unknown[]): unknown[] => [params(given), ...rest];
  change(messages, 'toolRunner', { args, result: ofRunner });
  change(messages, 'thread', { args, result: ofThread });
}

/** Does nothing where a release has no such method. */
function change(object: object, name: string, { args = (...given) => given, result }: Change): void {
  const method = Reflect.get(object, name) as Method | undefined;
  if (method === undefined) return;
  const value: Method = (...given) => {
    const made = Reflect.apply(method, object, args(...given)) as object;
    result?.(made);
    return made;
  };
  Object.defineProperty(object, name, { value, writable: true, configurable: true });
}

type Tracer = (tool: unknown) => unknown;

function withTracedTools(params: unknown, trace: Tracer): unknown {
  if (typeof params !== 'object' || params === null) return params;
  const { tools } = params as { readonly tools?: unknown };
  return Array.isArray(tools) ? { ...params, tools: (tools as unknown[]).map(trace) } : params;
}

/** By the tool's input alone: the context, with the call's id and a signal, is no part of what was asked. */
function tracerOf(messages: object): Tracer {
  // What a tool throws to have its error shown as it says, in releases that know such.
  const { ToolError } = messages.constructor as { readonly ToolError?: ErrorClass };
  const errors = ToolError === undefined ? [] : [ToolError];
  return (tool) => {
    if (typeof tool !== 'object' || tool === null) return tool;
    const { name, run } = tool as { readonly name?: unknown; readonly run?: unknown };
    if (typeof name !== 'string' || !isFunction(run)) return tool;
    const body = traceSdkTool(run, { name, errors });
    return copyWith(tool, 'run', (...args: never[]) => Reflect.apply(body, tool, args) as unknown);
  };
}

/** The same, hidden members included: the SDK marks what its helpers made. */
function copyWith(tool: object, key: string, value: unknown): object {
  return Object.create(Object.getPrototypeOf(tool), {
    ...Object.getOwnPropertyDescriptors(tool),
    [key]: { value, writable: true, enumerable: true, configurable: true },
  });
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}
