import type { SecretForm } from './forms.js';
import { MIN_SECRET } from './forms.js';

/** A place in a text where a form stands. */
export interface FormMatch {
  readonly from: number;
  readonly to: number;
  readonly inBase64: boolean;
}

/** Forms of one length that begin with the same window: all tokens of a service may. */
interface OfLength {
  readonly length: number;
  /** BASE to the power of the length. */
  readonly power: number;
  /** By their hash: in practice, one form each. */
  readonly forms: Map<number, SecretForm[]>;
}

/** An odd number without a pattern to it; products wrap at 32 bits. */
const BASE = 0x9e3779b1;
const WINDOW_SHIFT = 16;
const WINDOW_POWER = powerOf(MIN_SECRET);

/**
 * Finds any number of forms in a text, longest first, in time that depends on the text alone (Rabin–Karp: hashes of
 * windows find where a form may start, hashes of ranges confirm it without comparing characters one by one).
 */
export class FormMatcher {
  /** Longer forms first: a secret that begins like another must not be cut short. */
  readonly #byWindow = new Map<number, OfLength[]>();
  readonly #known = new Set<string>();
  /** The short ones in the order of their characters, so that those which begin alike lie together. */
  #sorted: string[] = [];
  /** A few that are not among those yet: to put each in its place would take time for every one there is. */
  #fresh: string[] = [];
  readonly #beginnings = new Set<string>();
  /** By their first characters. */
  readonly #long = new Map<string, string[]>();
  #longest = 0;
  /** 1 for the hash of each block that a form holds where the text's own blocks may fall. */
  readonly #blocks = new Uint8Array(2 ** 16);
  /** 1 for the upper bits of each window's hash. */
  readonly #windows = new Uint8Array(2 ** (32 - WINDOW_SHIFT));
  #prefix = new Int32Array(0);

  add(form: SecretForm): void {
    if (this.#known.has(form.text)) return;
    this.#known.add(form.text);
    this.#rememberBeginning(form.text);
    const prefix = this.#prefixHashes(form.text);
    const window = rangeHash(prefix, 0, MIN_SECRET, WINDOW_POWER);
    this.#windows[window >>> WINDOW_SHIFT] = 1;
    for (let at = 0; at < STRIDE; at++) this.#blocks[blockHash(form.text, at)] = 1;
    const { length } = form.text;
    const { power, forms } = this.#ofLength(window, length);
    const hash = rangeHash(prefix, 0, length, power);
    const alike = forms.get(hash);
    if (alike === undefined) forms.set(hash, [form]);
    else alike.push(form);
  }

  #ofLength(window: number, length: number): OfLength {
    const bucket = this.#byWindow.get(window) ?? [];
    this.#byWindow.set(window, bucket);
    const place = bucket.findIndex((each) => each.length <= length);
    const found = bucket[place];
    if (found?.length === length) return found;
    const made: OfLength = { length, power: powerOf(length), forms: new Map() };
    bucket.splice(place < 0 ? bucket.length : place, 0, made);
    return made;
  }

  has(text: string): boolean {
    return this.#known.has(text);
  }

  /** Where the first form starts, from an index on, that goes on beyond the text's end; its length for none. */
  begunIn(text: string, from: number): number {
    return Math.min(this.#shortBegunIn(text, from), this.#longBegunIn(text, from));
  }

  #shortBegunIn(text: string, from: number): number {
    if (this.#fresh.length > FEW) {
      this.#sorted = [...this.#sorted, ...this.#fresh].sort();
      this.#fresh = [];
    }
    const start = Math.max(0, from, text.length - Math.min(this.#longest, SHORT));
    for (let at = start; at <= text.length - BLOCK; at++) {
      if (!this.#beginnings.has(text.slice(at, at + BLOCK))) continue;
      const rest = text.slice(at);
      // Those that begin with it come next, and first of all it itself, where it is a form.
      const place = placeOf(rest, this.#sorted);
      const form = this.#sorted[this.#sorted[place] === rest ? place + 1 : place];
      if (form?.startsWith(rest) || this.#fresh.some((each) => each !== rest && each.startsWith(rest))) return at;
    }
    return text.length;
  }

  #longBegunIn(text: string, from: number): number {
    if (this.#long.size === 0) return text.length;
    const start = Math.max(0, from, text.length - this.#longest);
    const begun = new Set<string>();
    for (let at = start; at <= text.length - BLOCK; at++) {
      for (const form of this.#long.get(text.slice(at, at + BLOCK)) ?? []) begun.add(form);
    }
    if (begun.size === 0) return text.length;
    const tail = text.slice(start);
    const lengths = [...begun].map((form) => overlap(tail, form)).filter((length) => length >= BLOCK);
    return text.length - Math.max(0, ...lengths);
  }

  #rememberBeginning(form: string): void {
    this.#longest = Math.max(this.#longest, form.length);
    const beginning = form.slice(0, BLOCK);
    if (form.length <= SHORT) {
      this.#fresh.push(form);
      this.#beginnings.add(beginning);
      return;
    }
    const forms = this.#long.get(beginning);
    if (forms === undefined) this.#long.set(beginning, [form]);
    else forms.push(form);
  }

  /** Matches from left to right, none overlapping another. */
  *find(text: string): Generator<FormMatch> {
    if (text.length < MIN_SECRET) return;
    const prefix = this.#prefixHashes(text);
    const last = text.length - MIN_SECRET;
    for (let at = this.#nextCandidate(prefix, 0, last); at <= last; at = this.#nextCandidate(prefix, at + 1, last)) {
      const form = this.#formAt(text, prefix, at);
      if (form === null) continue;
      yield { from: at, to: at + form.text.length, inBase64: form.inBase64 };
      at += form.text.length - 1;
    }
  }

  #formAt(text: string, prefix: Int32Array, at: number): SecretForm | null {
    const bucket = this.#byWindow.get(rangeHash(prefix, at, MIN_SECRET, WINDOW_POWER)) ?? [];
    for (const { length, power, forms } of bucket) {
      if (at + length > text.length) continue;
      const alike = forms.get(rangeHash(prefix, at, length, power));
      const form = alike?.find((each) => text.startsWith(each.text, at));
      if (form !== undefined) return form;
    }
    return null;
  }

  /**
   * Whether a form may be in the text. Almost always settled here: wherever a form stands, it covers one of the
   * blocks that are looked at.
   */
  mayHold(text: string): boolean {
    const blocks = this.#blocks;
    const last = text.length < MIN_SECRET ? -1 : text.length - BLOCK;
    for (let at = 0; at <= last; at += STRIDE) if (blocks[blockHash(text, at)] === 1) return true;
    return false;
  }

  /** Where the next window stands that a form may begin with, or a number beyond `last`. */
  #nextCandidate(prefix: Int32Array, from: number, last: number): number {
    const windows = this.#windows;
    let at = from;
    while (at <= last && windows[rangeHash(prefix, at, MIN_SECRET, WINDOW_POWER) >>> WINDOW_SHIFT] === 0) at++;
    return at;
  }

  /** The hash of each beginning of the text, in a buffer that is used again. */
  #prefixHashes(text: string): Int32Array {
    if (this.#prefix.length <= text.length) this.#prefix = new Int32Array(Math.max(1024, text.length * 2));
    const prefix = this.#prefix;
    let hash = 0;
    for (let i = 0; i < text.length; i++) {
      hash = (Math.imul(hash, BASE) + text.charCodeAt(i) + 1) | 0;
      prefix[i + 1] = hash;
    }
    return prefix;
  }
}

/** Of the forms that may be many. Of longer ones each is compared in time that depends on its length alone. */
const SHORT = 512;
const FEW = 64;
/** Characters that are looked at together. */
const BLOCK = 3;
/** From one block to the next: the shortest form cannot stand between them. */
const STRIDE = MIN_SECRET - BLOCK + 1;

function blockHash(text: string, at: number): number {
  const pair = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
  return (Math.imul(pair, BASE) ^ Math.imul(text.charCodeAt(at + 2), 0x85ebca6b)) >>> 16;
}

function rangeHash(prefix: Int32Array, from: number, length: number, power: number): number {
  return ((prefix[from + length] as number) - Math.imul(prefix[from] as number, power)) | 0;
}

function powerOf(exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power = Math.imul(power, BASE);
  return power;
}

/** How many of the sorted texts stand before this one. */
function placeOf(text: string, sorted: readonly string[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many characters at the end of a text are the first ones of a form, but not all (Knuth, Morris, Pratt). */
function overlap(text: string, form: string): number {
  const begun = form.slice(0, Math.min(text.length, form.length - 1));
  const borders = new Int32Array(begun.length);
  const next = (matched: number, unit: number): number => {
    let length = matched;
    while (length > 0 && (length === begun.length || begun.charCodeAt(length) !== unit)) {
      length = borders[length - 1] as number;
    }
    return begun.charCodeAt(length) === unit ? length + 1 : 0;
  };
  for (let i = 1; i < begun.length; i++) borders[i] = next(borders[i - 1] as number, begun.charCodeAt(i));
  let matched = 0;
  for (let i = 0; i < text.length; i++) matched = next(matched, text.charCodeAt(i));
  return matched;
}
