import { types } from 'node:util';
import type { BoundaryCall } from './handler.js';
import type { AnyFunction } from './traced.js';

const GENERATORS = new Map<string, BoundaryCall['answers']>([
  ['GeneratorFunction', 'generator'],
  ['AsyncGeneratorFunction', 'async-generator'],
]);

/** What a function's own form tells of its answer, in whatever realm it was made. */
export function formOf(fn: AnyFunction): BoundaryCall['answers'] {
  if (types.isGeneratorFunction(fn)) return GENERATORS.get(tagOf(fn)) ?? 'unknown';
  return types.isAsyncFunction(fn) ? 'promise' : 'unknown';
}

/** A function's tag is its prototype's, and anybody may have put another there. */
function tagOf(fn: AnyFunction): string {
  const tag: unknown = (fn as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  return typeof tag === 'string' ? tag : '';
}
