import { StepforkError } from '@stepfork/trace-format/write';
import { isDisabled } from '../disabled.js';
import { isName } from './check.js';
import { traceTool } from './tool.js';
import type { AnyFunction } from './traced.js';

/**
 * Instruments a whole toolbox: an object of the same type whose own functions are traced tools, each named by its
 * key. Whatever else it holds is the same; the object that was given stays as it is.
 *
 * @throws StepforkError `invalid_argument` for what is no object.
 */
export function traceTools<T extends object>(tools: T): T {
  if (typeof tools !== 'object' || tools === null) {
    throw new StepforkError('invalid_argument', 'traceTools needs an object whose properties are functions');
  }
  if (isDisabled()) return tools;
  const properties = Object.getOwnPropertyDescriptors(tools) as { [key: string]: PropertyDescriptor };
  for (const [name, property] of Object.entries(properties)) {
    if (typeof property.value !== 'function' || !isName(name)) continue;
    property.value = traceTool(name, property.value as AnyFunction);
  }
  return Object.create(Object.getPrototypeOf(tools), properties) as T;
}
