import { isJsonArray, isJsonObject, type Json, setKey, type TraceEvent } from '@stepfork/trace-format';

/** Shorter texts are no work to look at again. */
const LONG = 256;
/** A list of no more may be a name with its value, which is told by both. */
const PAIR = 2;
/** Deeper is left to who looks at it. */
const DEEPEST = 1000;

/** Stands for what an earlier input held. */
const SEEN = Symbol('seen');

/**
 * What is new in each event of a run, one after another. A conversation sends with every request all that was said
 * before, and a bundle holds that once: with the rest left out, all of a run is no more to look at than its bundle.
 */
export class NovelParts {
  readonly #containers = new WeakSet<object>();
  readonly #texts = new Set<string>();

  /** The event, nothing in the place of what the input of an earlier one held. */
  of(event: TraceEvent): TraceEvent {
    // Only the input of a call may repeat another.
    if (event.type !== 'llm_request' && event.type !== 'tool_call') return event;
    const input = this.#part(event.input, 0);
    return input === event.input ? event : { ...event, input: input === SEEN ? null : input };
  }

  #part(value: Json, depth: number): Json | typeof SEEN {
    if (typeof value === 'string') return value.length < LONG ? value : this.#text(value);
    if (depth > DEEPEST) return value;
    if (isJsonArray(value)) {
      if (value.length > PAIR && this.#isSeen(value)) return SEEN;
      return this.#items(value, depth);
    }
    if (!isJsonObject(value)) return value;
    return this.#isSeen(value) ? SEEN : this.#fields(value, depth);
  }

  #text(text: string): string | typeof SEEN {
    if (this.#texts.has(text)) return SEEN;
    this.#texts.add(text);
    return text;
  }

  #isSeen(container: object): boolean {
    if (this.#containers.has(container)) return true;
    this.#containers.add(container);
    return false;
  }

  /** A single null stands for all that was seen: the list stays one that holds more than names with their values. */
  #items(list: readonly Json[], depth: number): readonly Json[] {
    const items: Json[] = [];
    let isChanged = false;
    let isShort = false;
    for (const item of list) {
      const part = this.#part(item, depth + 1);
      isChanged ||= part !== item;
      if (part !== SEEN) items.push(part);
      else if (!isShort || list.length <= PAIR) items.push(null);
      isShort ||= part === SEEN;
    }
    return isChanged ? items : list;
  }

  #fields(object: { readonly [name: string]: Json }, depth: number): Json {
    const fields: { [name: string]: Json } = {};
    let isChanged = false;
    for (const [name, item] of Object.entries(object)) {
      const part = this.#part(item, depth + 1);
      isChanged ||= part !== item;
      setKey(fields, name, part === SEEN ? null : part);
    }
    return isChanged ? fields : object;
  }
}
