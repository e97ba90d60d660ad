/** A word whose presence makes it worth while to try a rule. */
export interface Hint {
  /** ASCII. A single character is told by its presence anywhere. */
  readonly word: string;
  readonly anyCase?: boolean;
}

interface Lookout {
  readonly word: string;
  readonly anyCase: boolean;
  readonly subject: number;
  /** Where in the word the pair of characters stands that it is found by; −1 before its only one. */
  readonly pairAt: number;
}

/** Letters of English text, the frequent ones first. */
const FREQUENT = 'etaoinshrdlucmfwypvbgkqjxz';
const CASE_BIT = 0x20;

/**
 * Tells in one pass over a text which of many subjects have a word in it: far cheaper than to try a regular
 * expression for each, since almost all texts hold none.
 */
export class Scout {
  readonly #subjects: number;
  /** Pair of characters, 7 bits each, to 0 or an index into the buckets. Other bits are dropped: a false alarm. */
  readonly #pairs = new Uint16Array(128 * 128);
  readonly #byPair: Lookout[][] = [[]];

  /** @param hints per subject, its words */
  constructor(hints: readonly (readonly Hint[])[]) {
    this.#subjects = hints.length;
    hints.forEach((words, subject) => {
      for (const { word, anyCase = false } of words) {
        if (word.length === 1) this.#addSingle({ word, anyCase, subject, pairAt: -1 });
        else this.#add({ word, anyCase, subject, pairAt: rarestPair(word) });
      }
    });
  }

  #add(lookout: Lookout): void {
    const { word, anyCase, pairAt } = lookout;
    for (const first of spellings(word.charCodeAt(pairAt), anyCase)) {
      for (const second of spellings(word.charCodeAt(pairAt + 1), anyCase))
        this.#addPair((first << 7) | second, lookout);
    }
  }

  #addSingle(lookout: Lookout): void {
    for (let before = 0; before < 128; before++) this.#addPair((before << 7) | lookout.word.charCodeAt(0), lookout);
  }

  #addPair(pair: number, lookout: Lookout): void {
    if (this.#pairs[pair] === 0) this.#pairs[pair] = this.#byPair.push([]) - 1;
    (this.#byPair[this.#pairs[pair] as number] as Lookout[]).push(lookout);
  }

  /** Per subject, 1 when one of its words is in the text; null when none has any. */
  look(text: string): Uint8Array | null {
    const pairs = this.#pairs;
    let seen: Uint8Array | null = null;
    let before = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i) & 0x7f;
      const bucket = pairs[(before << 7) | unit] as number;
      before = unit;
      if (bucket === 0) continue;
      for (const lookout of this.#byPair[bucket] as Lookout[]) {
        // Quotes are all over a text that is JSON.
        if (seen?.[lookout.subject] === 1) continue;
        if (standsAt(text, i - 1 - lookout.pairAt, lookout)) seen = this.#see(seen, lookout.subject);
      }
    }
    return seen;
  }

  #see(seen: Uint8Array | null, subject: number): Uint8Array {
    const marks = seen ?? new Uint8Array(this.#subjects);
    marks[subject] = 1;
    return marks;
  }
}

function spellings(unit: number, anyCase: boolean): readonly number[] {
  return anyCase && isLetter(unit) ? [unit | CASE_BIT, unit & ~CASE_BIT] : [unit];
}

function isLetter(unit: number): boolean {
  const lower = unit | CASE_BIT;
  return lower >= 0x61 && lower <= 0x7a;
}

function standsAt(text: string, at: number, { word, anyCase }: Lookout): boolean {
  if (at < 0) return false;
  if (!anyCase) return text.startsWith(word, at);
  for (let k = 0; k < word.length; k++) {
    const wanted = word.charCodeAt(k);
    const unit = text.charCodeAt(at + k);
    if (unit !== wanted && !(isLetter(wanted) && (unit ^ wanted) === CASE_BIT)) return false;
  }
  return true;
}

function rarestPair(word: string): number {
  let best = 0;
  for (let i = 1; i < word.length - 1; i++) if (rarity(word, i) > rarity(word, best)) best = i;
  return best;
}

function rarity(word: string, at: number): number {
  return rarityOf(word[at]) + rarityOf(word[at + 1]);
}

function rarityOf(letter = ''): number {
  const place = FREQUENT.indexOf(letter);
  return place < 0 ? FREQUENT.length : place;
}
