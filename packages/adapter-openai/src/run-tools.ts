import type { AnyFunction } from '@stepfork/recorder/boundary';
import { traceSdkTool } from '@stepfork/recorder/fetch';

/** The part of a client that this file changes. */
interface Client {
  readonly chat: { readonly completions?: { runTools?: RunTools } };
}

type RunTools = (params: Params, ...rest: unknown[]) => unknown;

interface Params {
  readonly tools?: unknown;
}

/** Has the functions that `runTools` is given traced. What a runner is, and all else it does, stays the SDK's. */
export function traceRunTools(client: object): void {
  const { completions } = (client as Client).chat;
  const runTools = completions?.runTools;
  if (completions === undefined || runTools === undefined) return;
  const value: RunTools = (params, ...rest) =>
    Reflect.apply(runTools, completions, [withTracedTools(params), ...rest]) as unknown;
  Object.defineProperty(completions, 'runTools', { value, writable: true, configurable: true });
}

function withTracedTools(params: Params): Params {
  return Array.isArray(params?.tools) ? { ...params, tools: (params.tools as unknown[]).map(traced) } : params;
}

/** `{ type: 'function', function: { name, function } }`, or what `zodFunction` makes, with a hidden callback. */
function traced(tool: unknown): unknown {
  if (typeof tool !== 'object' || tool === null) return tool;
  const { function: description, $callback: callback } = tool as RunnableTool;
  if (typeof description !== 'object' || description === null) return tool;
  const trace = (body: AnyFunction): AnyFunction =>
    traceSdkTool(body, { name: description.name || body.name, input: documentOf });
  if (isFunction(callback)) return copyWith(tool, '$callback', trace(callback));
  const { function: body } = description;
  return isFunction(body) ? { ...tool, function: { ...description, function: trace(body) } } : tool;
}

interface RunnableTool {
  readonly function?: { readonly name?: string; readonly function?: unknown } | null;
  readonly $callback?: unknown;
}

/** Of a tool without a parser, which is given the text that the model wrote. */
function documentOf(asked: unknown): unknown {
  if (typeof asked !== 'string') return asked;
  try {
    return JSON.parse(asked);
  } catch {
    return asked;
  }
}

/** The same, hidden members included. */
function copyWith(tool: object, key: string, value: unknown): object {
  const members = Object.getOwnPropertyDescriptors(tool);
  return Object.create(Object.getPrototypeOf(tool), {
    ...members,
    [key]: { value, writable: true, enumerable: false, configurable: true },
  });
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}
