import { newEventId } from '../clock.js';
import { sha256 } from '../hash.js';

/** As this implementation and the original make them: their digits alone tell one from another. */
const MADE_ID = /^evt_[0-9a-f]{32}$/;

/**
 * The event ids of a bundle, at 64 bytes an id or less however many they are: a set of strings would take several
 * times that, and as much as a hostile bundle likes.
 */
export class IdSet {
  readonly #made = new KeySet();
  /** Ids of other forms, by digest. */
  readonly #others = new KeySet();

  /** @returns whether it is new */
  add(id: string): boolean {
    return MADE_ID.test(id) ? this.#made.add(id.slice(4)) : this.#others.add(sha256(id));
  }

  has(id: string): boolean {
    return MADE_ID.test(id) ? this.#made.has(id.slice(4)) : this.#others.has(sha256(id));
  }
}

const WORDS = 4;
const START_CAPACITY = 256;

/** A set of 128-bit keys in one flat table, with open addressing. */
class KeySet {
  #table = new Uint32Array(START_CAPACITY * WORDS);
  #size = 0;
  /** Four zero words mark a free place, so that the key of zeros needs one of its own. */
  #hasZero = false;
  readonly #key = new Uint32Array(WORDS);
  /** Not known to whoever made the bundle, who could otherwise choose ids that all fall onto one place. */
  readonly #seed = wordsOf(newEventId().slice(4), new Uint32Array(WORDS)).map((word) => word | 1);

  /** @param hex its first 32 digits are the key */
  add(hex: string): boolean {
    const key = wordsOf(hex, this.#key);
    if (isZero(key, 0)) {
      const isNew = !this.#hasZero;
      this.#hasZero = true;
      return isNew;
    }
    const place = this.#placeOf(this.#table, key, 0);
    if (!isZero(this.#table, place)) return false;
    this.#table.set(key, place);
    this.#size++;
    if (this.#size * WORDS * 4 > this.#table.length * 3) this.#grow();
    return true;
  }

  has(hex: string): boolean {
    const key = wordsOf(hex, this.#key);
    return isZero(key, 0) ? this.#hasZero : !isZero(this.#table, this.#placeOf(this.#table, key, 0));
  }

  /** Where the key of `source` at `from` stands in a table, or the free place where it would. */
  #placeOf(table: Uint32Array, source: Uint32Array, from: number): number {
    const mask = table.length / WORDS - 1;
    let hash = 0;
    for (let i = 0; i < WORDS; i++) hash = Math.imul(hash ^ word(source, from + i), word(this.#seed, i));
    let place = (hash ^ (hash >>> 15)) & mask;
    while (!isZero(table, place * WORDS) && !isSame(table, place * WORDS, source, from)) place = (place + 1) & mask;
    return place * WORDS;
  }

  #grow(): void {
    const old = this.#table;
    const table = new Uint32Array(old.length * 2);
    for (let from = 0; from < old.length; from += WORDS) {
      if (isZero(old, from)) continue;
      const place = this.#placeOf(table, old, from);
      for (let i = 0; i < WORDS; i++) table[place + i] = word(old, from + i);
    }
    this.#table = table;
  }
}

function wordsOf(hex: string, words: Uint32Array): Uint32Array {
  for (let i = 0; i < WORDS; i++) {
    let word = 0;
    for (let at = i * 8; at < i * 8 + 8; at++) word = (word << 4) | digitAt(hex, at);
    words[i] = word;
  }
  return words;
}

function digitAt(hex: string, at: number): number {
  const unit = hex.charCodeAt(at);
  return unit < 0x40 ? unit & 15 : unit - 0x57;
}

function word(words: Uint32Array, at: number): number {
  return words[at] as number;
}

function isZero(words: Uint32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0 && words[at + 3] === 0;
}

function isSame(a: Uint32Array, at: number, b: Uint32Array, from: number): boolean {
  return a[at] === b[from] && a[at + 1] === b[from + 1] && a[at + 2] === b[from + 2] && a[at + 3] === b[from + 3];
}
