import {
  formatPath,
  isJsonArray,
  isJsonObject,
  type Json,
  type PathSegment,
  sortKeys,
} from '@stepfork/trace-format/write';
import type { ValueChange } from '../result.js';
import { isSameScalar } from './same-value.js';

/** Two containers of one kind, compared entry by entry. */
interface Frame {
  readonly a: Json;
  readonly b: Json;
  /** Empty for the root. */
  readonly path: string;
  /** The keys of both sides in order; null for lists. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  next: number;
}

const ROOT = '';
/** Keys that a path holds as they are. It may hold others too; those are asked about. */
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** The leaves at which two values differ, the first `most` of them: keys in code-point order, lists by index. Any depth. */
export function walkChanges(a: Json, b: Json, most = Infinity): readonly ValueChange[] {
  const changes: ValueChange[] = [];
  const frames: Frame[] = [];
  const meet = (before: Json, after: Json, path: string): void => {
    const frame = openFrame(before, after, path);
    if (frame !== null) frames.push(frame);
    else if (!isSameScalar(before, after)) {
      changes.push({ path: path || formatPath([]), kind: 'changed', before, after });
    }
  };

  meet(a, b, ROOT);
  for (let frame = frames.at(-1); frame !== undefined && changes.length < most; frame = frames.at(-1)) {
    if (frame.next === frame.length) {
      frames.pop();
      continue;
    }
    const at = frame.next++;
    const key = frame.keys === null ? at : (frame.keys[at] as string);
    const before = entryOf(frame.a, key);
    const after = entryOf(frame.b, key);
    if (Object.is(before, after)) continue;
    const path = pathInto(frame.path, key);
    if (before === undefined) changes.push({ path, kind: 'added', before: null, after: after as Json });
    else if (after === undefined) changes.push({ path, kind: 'removed', before, after: null });
    else meet(before, after, path);
  }
  return changes;
}

/** A frame for two lists, or for two objects that stand for the same kind of value; else they differ as a whole. */
function openFrame(a: Json, b: Json, path: string): Frame | null {
  if (isJsonArray(a)) {
    if (!isJsonArray(b)) return null;
    return { a, b, path, keys: null, length: Math.max(a.length, b.length), next: 0 };
  }
  if (!isJsonObject(a) || !isJsonObject(b) || tagOf(a) !== tagOf(b)) return null;
  const keys = Object.keys(a);
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key)) keys.push(key);
  sortKeys(keys);
  return { a, b, path, keys, length: keys.length, next: 0 };
}

/** What a tagged value (`{"$stepfork": "date", …}`) stands for. */
function tagOf(object: { readonly [key: string]: Json }): Json | undefined {
  return Object.hasOwn(object, '$stepfork') ? object.$stepfork : undefined;
}

function entryOf(container: Json, key: PathSegment): Json | undefined {
  const entries = container as { readonly [key: PathSegment]: Json };
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}

/** `formatPath` of the longer path. Grown by one segment, it shares its text with the paths beside it. */
function pathInto(path: string, segment: PathSegment): string {
  const text = typeof segment === 'string' && PLAIN_KEY.test(segment) ? segment : formatPath([segment]);
  if (path === ROOT) return text;
  return text.startsWith('[') ? path + text : `${path}.${text}`;
}
