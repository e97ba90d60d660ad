import { types } from 'node:util';
import { StepforkError } from '../errors.js';
import { jsonText } from '../json/native.js';
import { type OpenObject, setKey } from '../json/object.js';
import { isPlainObject } from '../json/plain.js';
import { isWellFormed, toWellFormed } from '../json/well-formed.js';
import type { Json } from '../json.js';
import { formatRootedPath, type PathSegment, toPointer } from '../path.js';
import { extraKeys } from './array-keys.js';
import { encodeBuiltin } from './encode-builtin.js';
import { escapeKey, MAX_VALUE_DEPTH, type PlaceholderTag, tagged } from './tags.js';

/** How values are encoded. */
export interface EncodeOptions {
  /**
   * Called with what cannot be encoded (a class instance, a function, a symbol); what it returns is encoded in its
   * place. Returning the same value again declines.
   */
  readonly serializer?: (value: unknown) => unknown;
}

/** A part of a value that could not be stored. */
export interface Placeholder {
  /** JSON Pointer from the value's root. */
  readonly path: string;
  /** For a person: `function`, `symbol`, `cycle`, `class Decimal`, … */
  readonly reason: string;
}

/** A value as JSON, with what was lost on the way. */
export interface EncodedValue {
  readonly json: Json;
  readonly placeholders: readonly Placeholder[];
}

/**
 * Encodes any JavaScript value as JSON: plain data as itself, what JSON lacks as an object
 * with the key `$stepfork`, and what cannot be stored as a placeholder. Never throws because of the content.
 */
export function encodeValue(value: unknown, options: EncodeOptions = {}): EncodedValue {
  const lost: Lost[] = [];
  const json = new Encoder(options, lost).encode(value, 0);
  return { json, placeholders: lost.map(({ path, reason }) => ({ path: toWellFormed(toPointer(path)), reason })) };
}

/**
 * Encodes a value that must be stored completely.
 *
 * @throws StepforkError `unserializable`, with a path such as `$.a[0].b`, for what cannot be stored: functions,
 * symbols, class instances, cycles, nesting deeper than 100.
 */
export function toTraceValue(value: unknown, options: EncodeOptions = {}): Json {
  const lost: Lost[] = [];
  const json = new Encoder(options, lost).encode(value, 0);
  const first = lost[0];
  if (first === undefined) return json;
  const at = formatRootedPath(first.path);
  throw new StepforkError(
    'unserializable',
    `${at} cannot be stored in a trace (${first.reason}): convert it to plain data, or give a codec`,
    { details: { path: at, pointer: toPointer(first.path), reason: first.reason } },
  );
}

interface Lost {
  readonly path: readonly PathSegment[];
  readonly reason: string;
}

/** Values in all, and inside one class instance, whose fields may reach half the program. */
const MAX_NODES = 2_000_000;
const MAX_INSTANCE_NODES = 1_000;

/** One pass over one value. */
export class Encoder {
  readonly #serializer: ((value: unknown) => unknown) | null;
  readonly #lost: Lost[];
  readonly #path: PathSegment[] = [];
  /** The containers around the value that is being encoded; few, so that a list is faster than a set. */
  readonly #open: object[] = [];
  #nodes = 0;
  #nodeLimit = MAX_NODES;
  #insideInstance = false;

  constructor(options: EncodeOptions, lost: Lost[]) {
    this.#serializer = options.serializer ?? null;
    this.#lost = lost;
  }

  encode(value: unknown, depth: number): Json {
    this.#nodes++;
    switch (typeof value) {
      case 'string':
        return isWellFormed(value) ? value : tagged('string', { escaped: jsonText(value).slice(1, -1) });
      case 'number':
        return Number.isFinite(value) ? value : tagged('number', { value: String(value) });
      case 'boolean':
        return value;
      case 'undefined':
        return tagged('undefined');
      case 'bigint':
        return tagged('bigint', { value: String(value) });
      case 'symbol':
        return this.#unstorable(value, depth, 'symbol', 'symbol', () => ({
          description: toWellFormed(value.description ?? ''),
        }));
      case 'function':
        return this.#unstorable(value, depth, 'function', 'function', () => ({ name: nameOf(value) }));
      case 'object':
        return value === null ? null : this.#object(value, depth);
      default:
        return null;
    }
  }

  /** Encodes a part of the value that is being encoded. */
  readonly part = (segment: PathSegment, value: unknown, depth: number): Json => {
    this.#path.push(segment);
    const json = this.encode(value, depth);
    this.#path.pop();
    return json;
  };

  /** The named properties, no getter run, as plain data; pairs where JSON could not be written with such keys. */
  readonly fields = (object: object, keys: readonly string[], depth: number): Json => {
    if (!keys.every(isWellFormed)) return this.#pairs(object, keys, depth);
    const fields: OpenObject = {};
    for (const key of keys) {
      const cut = this.cutOff();
      setKey(fields, escapeKey(key), cut ?? this.#property(object, key, depth));
      if (cut !== null) break;
    }
    return fields;
  };

  /** A placeholder for all that is left, once so much was encoded that the rest is left out. */
  readonly cutOff = (): Json | null =>
    this.#nodes > this.#nodeLimit ? this.#placeholder('deep', 'too many values') : null;

  #object(value: object, depth: number): Json {
    if (this.#open.includes(value)) return this.#placeholder('cycle', 'cycle');
    if (depth > MAX_VALUE_DEPTH) return this.#placeholder('deep', `nested deeper than ${MAX_VALUE_DEPTH}`);
    const cut = this.cutOff();
    if (cut !== null) return cut;
    const steps = this.#path.length;
    const around = this.#open.push(value) - 1;
    try {
      return this.#container(value, depth);
    } catch (error) {
      // A proxy or an accessor of the agent's that throws.
      this.#path.length = steps;
      return this.#placeholder('unreadable', `unreadable: ${textOf(error)}`);
    } finally {
      this.#open.length = around;
    }
  }

  #container(value: object, depth: number): Json {
    if (Array.isArray(value)) return this.#array(value, depth);
    if (isPlainObject(value) && !types.isModuleNamespaceObject(value)) {
      return this.fields(value, Object.keys(value), depth + 1);
    }
    const builtin = encodeBuiltin(value, this, depth);
    return builtin ?? this.#instance(value, depth);
  }

  #array(list: readonly unknown[], depth: number): Json {
    const { listed, hidden } = extraKeys(list);
    if (listed.length + hidden.length === 0) return this.#items(list, depth + 1);
    const parts: OpenObject = { items: this.#items(list, depth + 2) };
    if (listed.length > 0) parts.fields = this.fields(list, listed, depth + 2);
    if (hidden.length > 0) parts.hidden = this.fields(list, hidden, depth + 2);
    return tagged('array', parts);
  }

  #items(list: readonly unknown[], depth: number): Json[] {
    const items: Json[] = [];
    for (let i = 0; i < list.length; i++) {
      const cut = this.cutOff();
      items.push(cut ?? this.#property(list, i, depth));
      if (cut !== null) break;
    }
    return items;
  }

  #pairs(object: object, keys: readonly string[], depth: number): Json {
    const entries: Json[] = [];
    for (const key of keys) {
      const cut = this.cutOff();
      entries.push(cut === null ? [this.encode(key, depth + 1), this.#property(object, key, depth + 1)] : ['', cut]);
      if (cut !== null) break;
    }
    return tagged('object', { entries });
  }

  /**
   * Reads a property once. What a getter would give is a placeholder: to run it may take what the agent is yet to
   * take, or start what it never asked for.
   */
  #property(object: object, key: PathSegment, depth: number): Json {
    this.#path.push(key);
    let json: Json;
    try {
      json =
        hasGetter(object, key) && !isReadAllTheSame(object)
          ? this.#placeholder('unreadable', 'getter')
          : this.encode((object as Record<PropertyKey, unknown>)[key], depth);
    } catch (error) {
      json = this.#placeholder('unreadable', `unreadable: ${textOf(error)}`);
    }
    this.#path.pop();
    return json;
  }

  #instance(value: object, depth: number): Json {
    const name = className(value);
    return this.#unstorable(value, depth, 'instance', `class ${name}`, () => {
      const outer = { limit: this.#nodeLimit, inside: this.#insideInstance };
      if (!outer.inside) this.#nodeLimit = Math.min(outer.limit, this.#nodes + MAX_INSTANCE_NODES);
      this.#insideInstance = true;
      try {
        return { class: name, fields: this.fields(value, Object.keys(value), depth + 1) };
      } finally {
        this.#nodeLimit = outer.limit;
        this.#insideInstance = outer.inside;
      }
    });
  }

  /** What the serializer makes of it, or else a placeholder. */
  #unstorable(
    value: unknown,
    depth: number,
    tag: PlaceholderTag,
    reason: string,
    known: () => { readonly [name: string]: Json },
  ): Json {
    if (this.#serializer !== null && depth < MAX_VALUE_DEPTH) {
      const replacement = this.#replacement(this.#serializer, value);
      if ('error' in replacement) return this.#placeholder(tag, `${reason}, and the serializer threw`, known);
      if (replacement.value !== value) return this.encode(replacement.value, depth + 1);
      return this.#placeholder(tag, `${reason}, unchanged by the serializer`, known);
    }
    return this.#placeholder(tag, reason, known);
  }

  #replacement(serializer: (value: unknown) => unknown, value: unknown): { value: unknown } | { error: unknown } {
    try {
      return { value: serializer(value) };
    } catch (error) {
      return { error };
    }
  }

  #placeholder(tag: PlaceholderTag, reason: string, known?: () => { readonly [name: string]: Json }): Json {
    // Inside an instance the instance itself is what was lost.
    if (!this.#insideInstance) this.#lost.push({ path: [...this.#path], reason });
    return tagged(tag, known?.());
  }
}

const { getOwnPropertyDescriptor } = Object;

function hasGetter(object: object, key: PathSegment): boolean {
  const property = getOwnPropertyDescriptor(object, key);
  return property !== undefined && (property.get !== undefined || property.set !== undefined);
}

/** A proxy, of which nothing could be seen otherwise; and an error: Node's own have what they say behind getters. */
function isReadAllTheSame(object: object): boolean {
  return types.isProxy(object) || types.isNativeError(object);
}

function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  const made: unknown = prototype === null ? null : (prototype as { constructor?: unknown }).constructor;
  return (typeof made === 'function' && nameOf(made)) || 'unnamed';
}

function nameOf(value: object): string {
  try {
    const name: unknown = (value as { name?: unknown }).name;
    return typeof name === 'string' ? toWellFormed(name) : '';
  } catch {
    return '';
  }
}

function textOf(error: unknown): string {
  try {
    return toWellFormed(String((error as { message?: unknown } | null)?.message ?? error));
  } catch {
    return 'it threw';
  }
}
