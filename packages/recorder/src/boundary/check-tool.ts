import { REPLAY_POLICIES, StepforkError } from '@stepfork/trace-format/write';
import { checkNames } from '../check-options.js';
import { checkFunction, checkName } from './check.js';
import type { ToolOptions } from './tool.js';
import type { AnyFunction } from './traced.js';

const OPTIONS = ['name', 'params', 'input', 'codec', 'chunkCodec', 'errors', 'replayPolicy'];

/**
 * Refuses what cannot make a tool where it is written, and not at its first call in production.
 *
 * @throws StepforkError `invalid_argument`
 */
export function checkTool(options: ToolOptions<AnyFunction>, fn: unknown): void {
  checkName(options.name, 'traceTool');
  const where = `traceTool('${options.name}')`;
  checkFunction(fn, where);
  checkNames(options, OPTIONS, where);
  const need = (option: keyof ToolOptions<AnyFunction>, needed: string, isGiven: (value: unknown) => boolean): void => {
    const value = options[option] ?? undefined;
    if (value === undefined || isGiven(value)) return;
    const message = `${where} needs ${needed} as its option '${option}'`;
    throw new StepforkError('invalid_argument', message, { details: { option } });
  };
  need('params', "a list of the parameters' names", listOf(isText));
  need('input', 'a function', isFunction);
  need('codec', 'an object of two functions, encode and decode,', isCodec);
  need('chunkCodec', 'an object of two functions, encode and decode,', isCodec);
  need('errors', 'a list of error classes', listOf(isClass));
  need('replayPolicy', `one of ${REPLAY_POLICIES.join(', ')}`, (policy) =>
    REPLAY_POLICIES.some((one) => one === policy),
  );
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';
const isClass = (value: unknown): boolean => isFunction(value) && typeof value.prototype === 'object';
const listOf =
  (isItem: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isItem);

function isCodec(value: unknown): boolean {
  const { encode, decode } = value as { readonly encode?: unknown; readonly decode?: unknown };
  return isFunction(encode) && isFunction(decode);
}
