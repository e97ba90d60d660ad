import type { SecretMemory } from '../memory/memory.js';
import { NO_SPLICES, type RuleName, type Splice } from '../text/splice.js';
import { redactText, type TextRules } from '../text/text-redactor.js';
import { isQuiet, unsettledFrom } from '../text/unsettled.js';

/** How much of what was given out the rules still see: what may stand before a secret and tells of it. */
const CONTEXT = 256;
/** No more is held back: what is not matched by then is given out. */
const MAX_HELD = 16 * 1024;
/** Up to this much that is held back is looked at with every chunk; more, when it has grown by an eighth. */
const SMALL = 1024;
/** Of a match that is longer than what is held back, these parts stay in sight. */
const MATCH_HEAD = 256;
const MATCH_TAIL = 64;

/** A part of an assembled text. Indices count from the text's beginning. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A part as it may be given out; `rule` is the first that struck in it. */
export interface GivenText {
  readonly text: string;
  readonly rule: RuleName | null;
}

interface ReadSession {
  readonly rules: TextRules;
  readonly memory: SecretMemory;
  /** Counts what was learned, by anyone. */
  readonly lessons: () => number;
  readonly learn: (secrets: readonly string[]) => void;
}

/**
 * The texts that stood at one place of successive chunks, as one. Only a window of it is kept: what is still held
 * back, and a little of what lay before.
 */
export class AssembledText {
  readonly #session: ReadSession;
  #window = '';
  /** Where the window starts. */
  #base = 0;
  /** Up to where it was given out. */
  #given = 0;
  /** Up to where nothing that may follow changes anything. */
  #settled = 0;
  /** Up to where its secrets were learned. */
  #taught = 0;
  #splices: readonly Splice[] = NO_SPLICES;
  /** Whether what was given out ends in a replacement, or in what it replaces. */
  #endsReplaced = false;
  /** Up to where it was looked at, and knowing how much. */
  #looked = 0;
  #lessons = 0;
  #isOver = false;
  /** Whether no rule had a reason to look at any of the window. */
  #isQuiet = true;

  constructor(session: ReadSession) {
    this.#session = session;
  }

  get #end(): number {
    return this.#base + this.#window.length;
  }

  /** Whether all of it was given out. */
  get isGiven(): boolean {
    return this.#given === this.#end;
  }

  add(text: string): Span {
    const from = this.#end;
    this.#window += text;
    return { from, to: this.#end };
  }

  /** Looks at it as if nothing followed. */
  finish(): void {
    this.#isOver = true;
    this.#look();
    this.#isOver = false;
  }

  /** Whether the text up to an index may be given out. */
  isSettled(to: number): boolean {
    const isWaited = this.#settled < to && this.#looked < this.#end && this.#isWorthALook();
    if (isWaited || this.#lessons !== this.#session.lessons()) this.#look();
    return this.#settled >= to;
  }

  /** Gives out the next part. */
  give({ from, to }: Span): GivenText {
    let text = '';
    let rule: RuleName | null = null;
    let at = from;
    for (const splice of this.#splices) {
      if (!this.#isIn(splice, from, to)) continue;
      text += this.#raw(at, splice.from);
      // Where its beginning was given out before it could be known, it is replaced from here on.
      if (splice.from >= from || !this.#endsReplaced) text += splice.by;
      rule ??= splice.rule ?? null;
      at = Math.min(splice.to, to);
    }
    text += this.#raw(at, to);
    if (to > from) this.#endsReplaced = this.#splices.some((splice) => splice.from < to && splice.to >= to);
    this.#given = to;
    this.#forget();
    return { text, rule };
  }

  #isIn(splice: Splice, from: number, to: number): boolean {
    if (splice.to > splice.from) return splice.from < to && splice.to > from;
    return splice.from >= from && (splice.from < to || (splice.from === to && to === this.#end));
  }

  #raw(from: number, to: number): string {
    return from < to ? this.#window.slice(from - this.#base, to - this.#base) : '';
  }

  #isWorthALook(): boolean {
    const held = this.#end - this.#given;
    return held <= SMALL || (this.#end - this.#looked) * 8 >= held;
  }

  #look(): void {
    const { rules, memory, lessons } = this.#session;
    const window = this.#window;
    const knowsMore = this.#lessons !== lessons();
    this.#looked = this.#end;
    this.#lessons = lessons();
    this.#isQuiet = this.#isQuiet && !knowsMore && isQuiet(window, rules, memory, this.#given - this.#base);
    if (this.#isQuiet) {
      this.#settled = this.#end;
      return;
    }
    const result = redactText(window, rules, memory, IGNORE);
    const splices = result?.splices ?? NO_SPLICES;
    const limit = this.#isOver ? window.length : this.#limitOf(splices);
    this.#splices = this.#placed(splices);
    this.#settled = Math.max(this.#given, this.#base + limit);
    if (this.#teach(limit)) this.#look();
    else if (!this.#isOver && this.#end - this.#settled > MAX_HELD) this.#settled = this.#end;
  }

  /** Up to where in the window nothing that may follow changes anything. */
  #limitOf(splices: readonly Splice[]): number {
    const { rules, memory } = this.#session;
    const { length } = this.#window;
    let limit = unsettledFrom(this.#window, rules, memory, this.#given - this.#base);
    for (let i = splices.length - 1; i >= 0; i--) {
      const { from, to } = splices[i] as Splice;
      if (to > limit || to === length) limit = Math.min(limit, from);
    }
    return limit;
  }

  /** Splices by their place in the text. What has since been learned explains nothing that was known before. */
  #placed(splices: readonly Splice[]): readonly Splice[] {
    if (splices.length === 0) return NO_SPLICES;
    const before = new Map(this.#splices.map((splice) => [splice.from, splice.rule]));
    return splices.map(({ from, to, by, rule }) => {
      const place = from + this.#base;
      const known = before.get(place) ?? rule;
      return { from: place, to: to + this.#base, by, ...(known !== undefined && { rule: known }) };
    });
  }

  /** Learns the secrets that are whole. True when something was new. */
  #teach(limit: number): boolean {
    const end = this.#base + limit;
    if (!this.#splices.some(({ to }) => to > this.#taught && to <= end)) return false;
    this.#taught = end;
    const { rules, memory, lessons, learn } = this.#session;
    const taught: string[] = [];
    redactText(this.#window.slice(0, limit), rules, memory, (secret) => taught.push(secret));
    const before = lessons();
    learn(taught);
    return lessons() !== before;
  }

  /** Drops what the rules need not see any more. */
  #forget(): void {
    const open = this.#splices.find(({ from, to }) => from < this.#given && to >= this.#given);
    if (open !== undefined && this.isGiven) this.#shorten(open);
    const from = Math.min(this.#given, open?.from ?? this.#given) - CONTEXT;
    if (from - this.#base < CONTEXT) return;
    this.#window = this.#window.slice(from - this.#base);
    this.#base = from;
    if (this.isGiven && open === undefined && !this.#isQuiet) {
      this.#isQuiet = isQuiet(this.#window, this.#session.rules, this.#session.memory, 0);
    }
  }

  /** Takes out the middle of a match that everything so far ends in. */
  #shorten({ from }: Splice): void {
    const head = from - this.#base + MATCH_HEAD;
    if (this.#window.length < head + SMALL) return;
    this.#window = this.#window.slice(0, head) + this.#window.slice(-MATCH_TAIL);
    this.#base = this.#given - this.#window.length;
    this.#splices = NO_SPLICES;
  }
}

const IGNORE = (): void => {};
