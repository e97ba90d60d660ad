import { hasMarkedFloat } from '../json/float-marks.js';
import { isJsonArray, isJsonObject, type OpenObject, setKey } from '../json/object.js';
import type { Json } from '../json.js';
import type { CallEvent, EarlierInput, EarlierInputs } from './earlier-inputs.js';
import { MAX_REPEAT_DEPTH, MIN_REPEATED, repeatedJson } from './reference.js';
import { SameValues } from './same-values.js';
import { sizeBelow } from './size.js';

/**
 * A call's input with what it repeats of an earlier one left out.
 *
 * @param input the call's, its large binary data in blobs where the earlier ones have theirs there
 * @returns the same input where it repeats nothing worth it; it is never changed itself
 */
export function shortenInput(call: CallEvent, input: Json, inputs: EarlierInputs): Json {
  // What most tools are given is too small to be worth a look.
  if (sizeBelow(input, MIN_REPEATED) < MIN_REPEATED) return input;
  const same = new SameValues();
  let best: Shortening | null = null;
  for (const earlier of inputs.of(call)) {
    if (call.type === 'tool_call' && call.name !== earlier.name) continue;
    const found = new Shortening(input, earlier, same);
    if (found.saved > (best?.saved ?? 0) && inputs.allows(found.saved, found.items)) best = found;
    // Nothing can be nearer than the one that this goes on from, or of which it has each part.
    if (found.saved > 0.9 * earlier.fullBytes || (found.saved > 0 && found.hasAll)) break;
  }
  return best?.input ?? input;
}

/** An input, compared with an earlier one. */
class Shortening {
  readonly input: Json;
  /** Characters that need not be written, roughly. */
  saved = 0;
  /** Items of lists that are repeated. */
  items = 0;
  /** Whether each of its parts is the same in the earlier one. */
  hasAll = true;
  readonly #of: string;
  readonly #same: SameValues;

  /** @param same for all comparisons of this input */
  constructor(input: Json, earlier: EarlierInput, same: SameValues) {
    this.#of = earlier.hash;
    this.#same = same;
    this.input = this.#below(input, earlier.input(), 1);
  }

  #below(json: Json, earlier: Json, depth: number): Json {
    if (depth > MAX_REPEAT_DEPTH) return json;
    if (isJsonArray(json) && isJsonArray(earlier)) return this.#items(json, earlier, depth);
    return isJsonObject(json) && isJsonObject(earlier) ? this.#fields(json, earlier, depth) : json;
  }

  #fields(json: { readonly [key: string]: Json }, earlier: { readonly [key: string]: Json }, depth: number): Json {
    if (hasMarkedFloat(json)) return json;
    const changes = new Map<string, Json>();
    for (const key of Object.keys(json)) {
      if (!Object.hasOwn(earlier, key)) {
        this.hasAll = false;
        continue;
      }
      const short = this.#value(json[key] as Json, earlier[key] as Json, depth);
      if (short !== json[key]) changes.set(key, short);
    }
    if (changes.size === 0) return json;
    const copy: OpenObject = {};
    for (const key of Object.keys(json)) setKey(copy, key, changes.get(key) ?? (json[key] as Json));
    return copy;
  }

  #items(json: readonly Json[], earlier: readonly Json[], depth: number): Json {
    if (hasMarkedFloat(json)) return json;
    let copy: Json[] | null = null;
    if (json.length > earlier.length) this.hasAll = false;
    for (let i = 0; i < json.length && i < earlier.length; i++) {
      const short = this.#value(json[i] as Json, earlier[i] as Json, depth);
      if (short === json[i]) continue;
      copy ??= [...json];
      copy[i] = short;
    }
    return copy ?? json;
  }

  #value(json: Json, earlier: Json, depth: number): Json {
    const size = this.#same.size(json, earlier);
    if (size >= MIN_REPEATED) {
      this.saved += size;
      return repeatedJson({ of: this.#of, length: null, added: [] });
    }
    if (size >= 0) return json;
    this.hasAll = false;
    return (
      (isJsonArray(json) && isJsonArray(earlier) ? this.#list(json, earlier) : null) ??
      this.#below(json, earlier, depth + 1)
    );
  }

  /** A list that begins as the earlier one does. */
  #list(json: readonly Json[], earlier: readonly Json[]): Json | null {
    if (hasMarkedFloat(json) || hasMarkedFloat(earlier)) return null;
    let size = 0;
    let length = 0;
    for (; length < json.length && length < earlier.length; length++) {
      const item = this.#same.size(json[length] as Json, earlier[length] as Json);
      if (item < 0) break;
      size += item;
    }
    if (size < MIN_REPEATED) return null;
    this.saved += size;
    this.items += length;
    return repeatedJson({ of: this.#of, length, added: json.slice(length) });
  }
}
