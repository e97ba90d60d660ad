import { type AnyFunction, traceTool } from '@stepfork/recorder/boundary';

/** The part of a client that this file changes. */
interface Client {
  readonly chat: { readonly completions?: { runTools?: RunTools } };
}

type RunTools = (params: Params, ...rest: unknown[]) => unknown;

interface Params {
  readonly tools?: unknown;
}

/** Has the functions that `runTools` is given traced. What a runner is, and all else it does, stays the SDK's. */
export function traceRunTools({ chat: { completions } }: Client): void {
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
  if (isFunction(callback)) {
    return copyWith(tool, '$callback', traceCallback(callback, description.name));
  }
  const { function: body } = description;
  if (!isFunction(body)) return tool;
  return { ...tool, function: { ...description, function: traceCallback(body, description.name) } };
}

interface RunnableTool {
  readonly function?: { readonly name?: string; readonly function?: unknown } | null;
  readonly $callback?: unknown;
}

/** By its arguments alone: the runner and the context, which it is given too, are no part of what was asked. */
function traceCallback(body: AnyFunction, name: string | undefined): AnyFunction {
  // One that is traced already is known by its own options, which know nothing of a runner.
  if (isTraced(body)) return body.length > 1 ? body : (args: never) => body(args);
  return traceTool({ name: name || body.name, input: (args) => documentOf(args) }, body as (args: unknown) => unknown);
}

/** Of a tool without a parser, which is given the text that the model wrote. */
function documentOf(args: unknown): unknown {
  if (typeof args !== 'string') return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
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

/** As the recorder marks them. */
const TRACED = Symbol.for('stepfork.traced/1');

function isTraced(fn: AnyFunction): boolean {
  return Reflect.get(fn, TRACED) === true;
}
