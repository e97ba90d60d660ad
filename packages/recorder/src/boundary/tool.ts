import { displayText, type ReplayPolicy } from '@stepfork/trace-format/write';
import { isDisabled } from '../disabled.js';
import { answerOf } from './callback.js';
import { checkTool } from './check-tool.js';
import { type Boundary, crossing } from './cross.js';
import { describe } from './describe.js';
import { formOf } from './form.js';
import type { ChunkOf, Codec, ErrorClass } from './handler.js';
import { signalsIn } from './signals.js';
import { describeThrown } from './thrown.js';
import { toToolInput } from './tool-input.js';
import { type AnyFunction, isTraced, type TakeOver, withCalls } from './traced.js';
import { warnOnce } from './warning.js';

/** How a tool is recorded, beyond its name. */
export interface ToolOptions<F extends AnyFunction> {
  /** What the recording calls it. */
  readonly name: string;
  /** Names of the parameters, in order: the input is recorded as an object of the arguments given. */
  readonly params?: readonly string[] | undefined;
  /** Makes the recorded input of the arguments, for those that are large, volatile or not data. */
  readonly input?: ((...args: Parameters<F>) => unknown) | undefined;
  /** Takes a result that is not plain data to data and back. */
  readonly codec?: Codec<Awaited<ReturnType<F>>> | undefined;
  /** Takes the chunks of a stream that are not plain data to data and back. */
  readonly chunkCodec?: Codec<ChunkOf<Awaited<ReturnType<F>>>> | undefined;
  /**
   * Classes of errors of your own that the tool throws: on replay such an error is an instance of its class again,
   * found by the class's name and rebuilt from the recorded fields without running a constructor.
   */
  readonly errors?: readonly ErrorClass[] | undefined;
  /** Stored with each call; `frozen` unless said otherwise. */
  readonly replayPolicy?: ReplayPolicy | undefined;
}

/**
 * Instruments a tool: a function of the very same type, whose calls are recorded while a run records, answered
 * from the recording while one replays, and otherwise go straight through. A function that is instrumented
 * already is given back as it is.
 *
 * @throws StepforkError `invalid_argument` for an empty name, something that is no function, or an option that means nothing.
 */
export function traceTool<F extends AnyFunction>(name: string, fn: F): F;
export function traceTool<F extends AnyFunction>(options: ToolOptions<F>, fn: F): F;
export function traceTool<F extends AnyFunction>(tool: string | ToolOptions<F>, fn: F): F {
  const options: ToolOptions<F> = typeof tool === 'string' ? { name: tool } : tool;
  checkTool(options, fn);
  if (isDisabled() || isTraced(fn)) return fn;

  const boundary: Boundary = {
    kind: 'tool',
    name: options.name,
    provider: null,
    replayPolicy: options.replayPolicy ?? 'frozen',
    answers: formOf(fn),
    codec: (options.codec as Codec | undefined) ?? null,
    chunkCodec: (options.chunkCodec as Codec | undefined) ?? null,
    errors: options.errors ?? [],
  };
  const takeOver: TakeOver = (self, args) =>
    crossing(boundary, {
      input: () => takeInput(options, args),
      signals: () => signalsIn(args),
      invoke: Reflect.apply.bind(null, fn, self, args),
    });
  return withCalls(fn, takeOver, true);
}

function takeInput<F extends AnyFunction>(options: ToolOptions<F>, args: readonly unknown[]): unknown {
  if (options.input === undefined) return toToolInput(args, options.params);
  try {
    return answerOf(options.input(...(args as Parameters<F>)));
  } catch (error) {
    const tool = describe({ kind: 'tool', name: options.name });
    const fallback = 'its arguments were recorded as they are; make the callback accept every call';
    warnOnce(
      'input_failed',
      tool,
      `the input callback of ${tool} threw (${displayText(describeThrown(error).message)}); ${fallback}`,
    );
    return toToolInput(args, options.params);
  }
}
