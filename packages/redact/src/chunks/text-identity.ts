import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type PathSegment,
  toPointer,
} from '@stepfork/trace-format/write';
import { rememberByKey } from '../keys/key-rule.js';

/**
 * Which text a piece belongs to. That is told by its place, and by what the objects around it say of themselves:
 * `index` of a choice or a content block, the id of an item or a tool call. What of that tells texts apart, and what
 * only numbers the chunks, is not known beforehand, so that each kind is kept by itself; '' where nothing is said.
 */
export interface TextIdentity {
  /** The place, with `*` for every position in a list: JSON Pointer. */
  readonly flat: string;
  /** Positions of what says nothing of itself, and whether the text is in binary data. */
  readonly positions: string;
  readonly numbers: string;
  readonly ids: string;
  readonly labels: string;
}

type Kind = 'numbers' | 'ids' | 'labels';

/** `item_id`, `toolCallId`; but not those that name an event, of which each has its own. */
const ID = /^(?:id|(?!event|lastEvent|request).*(?:_id|Id|ID))$/;
/** `index`, `output_index`, `contentBlockIndex`. */
const NUMBER = /^(?:index|.*(?:_index|Index))$/;
const LABELS = new Set(['type', 'event', 'role', 'name', 'agent', 'node', 'channel']);
/** Longer ones are no names of texts. */
const MAX_MARK = 128;

const kindOf = rememberByKey((key): Kind | null => {
  if (NUMBER.test(key)) return 'numbers';
  if (ID.test(key)) return 'ids';
  return LABELS.has(key) ? 'labels' : null;
});

type Marks = Readonly<Record<Kind, string>>;

/** Tells the identities of the texts in one value. */
export class Identities {
  readonly #root: Json;
  /** What objects say of themselves. */
  readonly #marks = new Map<Json, Marks>();

  constructor(root: Json) {
    this.#root = root;
  }

  of(path: readonly PathSegment[], isBytes: boolean): TextIdentity {
    const identity = { flat: '', positions: isBytes ? 'bytes' : 'text', numbers: '', ids: '', labels: '' };
    let value: Json | undefined = this.#root;
    // Binary data is the text that it holds, like a string in its place.
    const depth = isBytes ? path.length - 1 : path.length;
    for (let i = 0; i < depth && value !== undefined; i++) {
      const segment = path[i] as PathSegment;
      if (isJsonArray(value)) {
        value = value[segment as number];
        identity.flat += '/*';
        const { numbers, ids } = this.#marksOf(value as Json);
        if (numbers === '' && ids === '') identity.positions += ` ${i}:${segment}`;
        continue;
      }
      const marks = this.#marksOf(value);
      for (const kind of KINDS) if (marks[kind] !== '') identity[kind] += `${i}${marks[kind]}`;
      value = isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
      identity.flat += toPointer([segment]);
    }
    return identity;
  }

  #marksOf(object: Json): Marks {
    if (!isJsonObject(object)) return NO_MARKS;
    const known = this.#marks.get(object);
    if (known !== undefined) return known;
    const marks = marksOf(object);
    this.#marks.set(object, marks);
    return marks;
  }
}

const KINDS: readonly Kind[] = ['numbers', 'ids', 'labels'];
const NO_MARKS: Marks = { numbers: '', ids: '', labels: '' };

function marksOf(object: JsonObject): Marks {
  let marks: Record<Kind, string> | null = null;
  for (const key of Object.keys(object)) {
    const kind = kindOf(key);
    if (kind === null) continue;
    const value = object[key];
    const isMark = typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= MAX_MARK);
    if (!isMark) continue;
    marks ??= { ...NO_MARKS };
    marks[kind] += `\n${key}=${value}`;
  }
  return marks ?? NO_MARKS;
}
