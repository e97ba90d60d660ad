import { NO_MEMORY, type SecretMemory } from '../memory/memory.js';
import { NO_SPLICES, type Splice } from '../text/splice.js';
import { RECURRENCE, redactText, type TextRules } from '../text/text-redactor.js';
import { isQuiet, unsettledFrom } from '../text/unsettled.js';
import type { TextPiece } from './text-piece.js';
import { united } from './united.js';

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

/** What is to be replaced in a part. Indices count from the part's beginning. */
export interface PartSplice extends Splice {
  /** Whether what it replaces began in an earlier part. */
  readonly goesOn: boolean;
}

export interface ReadSession {
  readonly rules: TextRules;
  readonly memory: SecretMemory;
  /** Counts what was learned, by anyone. */
  readonly lessons: () => number;
  readonly learn: (secrets: readonly string[], from: AssembledText) => void;
}

/**
 * The texts that stood at one place of successive chunks, as one. Only a window of it is kept: what is still held
 * back, and a little of what lay before.
 */
export class AssembledText {
  /** What was added and is not given out, for whoever adds it. */
  readonly pieces = new Set<TextPiece>();
  /** Whether pieces of it belong to other texts more than to this one. */
  isMixed = false;
  /** Whether those are known to be several. */
  isSeveral = false;
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
  /** The first of them that matters to what is not given out yet. */
  #next = 0;
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

  get isEmpty(): boolean {
    return this.#end === 0;
  }

  /** Whether none of it was given out. */
  get isUntouched(): boolean {
    return this.#given === 0;
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

  /** Whether what was given out ends in a replacement, or in what it replaces. */
  get endsReplaced(): boolean {
    return this.#endsReplaced;
  }

  /** What is to be replaced in the next part. */
  splicesIn({ from, to }: Span): readonly PartSplice[] {
    const inPart: PartSplice[] = [];
    for (let i = this.#next; i < this.#splices.length; i++) {
      const splice = this.#splices[i] as Splice;
      if (splice.from > to) break;
      if (!this.#isIn(splice, from, to)) continue;
      const { by, rule } = splice;
      const goesOn = splice.from < from;
      inPart.push({
        from: Math.max(splice.from, from) - from,
        to: Math.min(splice.to, to) - from,
        by,
        goesOn,
        ...(rule !== undefined && { rule }),
      });
    }
    return inPart;
  }

  /** The next part is given out. */
  given({ from, to }: Span, endsReplaced: boolean): void {
    if (to > from) this.#endsReplaced = endsReplaced;
    this.#given = to;
    while (this.#next < this.#splices.length && this.#isPast(this.#splices[this.#next] as Splice)) this.#next++;
    this.#forget();
  }

  /** Another with the same past, which goes its own way. */
  fork(): AssembledText {
    const other = new AssembledText(this.#session);
    other.#window = this.#window;
    other.#base = this.#base;
    other.#given = this.#given;
    other.#settled = this.#settled;
    other.#taught = this.#taught;
    other.#splices = this.#splices;
    other.#next = this.#next;
    other.#endsReplaced = this.#endsReplaced;
    other.#looked = this.#looked;
    other.#lessons = this.#lessons;
    other.#isQuiet = this.#isQuiet;
    return other;
  }

  #isIn(splice: Splice, from: number, to: number): boolean {
    if (splice.to > splice.from) return splice.from < to && splice.to > from;
    return splice.from >= from && (splice.from < to || (splice.from === to && to === this.#end));
  }

  /** Whether a splice matters to nothing that is not given out yet; an empty one at the end does. */
  #isPast({ from, to }: Splice): boolean {
    return to < this.#given || (to === this.#given && (from < to || this.isGiven));
  }

  #isWorthALook(): boolean {
    const held = this.#end - this.#given;
    return held <= SMALL || (this.#end - this.#looked) * 8 >= held;
  }

  #look(): void {
    const { rules, memory, lessons } = this.#session;
    const window = this.#window;
    const knowsMore = this.#lessons !== lessons();
    const sure = this.#looked === this.#end ? this.#end : this.#settled;
    this.#looked = this.#end;
    this.#lessons = lessons();
    this.#isQuiet = this.#isQuiet && !knowsMore && isQuiet(window, rules, memory, this.#given - this.#base);
    if (this.#isQuiet) {
      this.#settled = this.#end;
      return;
    }
    const splices = this.#splicesOf(window);
    const limit = this.#isOver ? window.length : this.#limitOf(splices);
    // What is settled stays so, whatever was learned since.
    const known = this.#splices.filter(({ from, to }) => from >= this.#base && to <= sure);
    this.#splices = united([this.#placed(splices), known]);
    this.#next = 0;
    this.#settled = Math.max(this.#given, this.#base + limit);
    if (this.#teach(limit)) this.#look();
    else if (!this.#isOver && this.#end - this.#settled > MAX_HELD) this.#settled = this.#end;
  }

  /**
   * What is to be replaced. A part that recurs may hide the whole from its rule, and what was learned may be such a
   * part: a document ends, or another text goes on, in the middle of a secret. So rules are asked by themselves too.
   */
  #splicesOf(window: string): readonly Splice[] {
    const { rules, memory } = this.#session;
    const said = redactText(window, rules, memory, IGNORE)?.splices ?? NO_SPLICES;
    if (!said.some(({ rule }) => rule === RECURRENCE)) return said;
    return united([said, redactText(window, rules, NO_MEMORY, IGNORE)?.splices ?? NO_SPLICES]);
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
    learn(taught, this);
    return lessons() !== before;
  }

  /** Drops what the rules need not see any more. */
  #forget(): void {
    this.#shorten();
    const open = this.#open();
    const from = Math.min(this.#given, open?.from ?? this.#given) - CONTEXT;
    if (from - this.#base < CONTEXT) return;
    this.#window = this.#window.slice(from - this.#base);
    this.#base = from;
    if (this.isGiven && open === undefined && !this.#isQuiet) {
      this.#isQuiet = isQuiet(this.#window, this.#session.rules, this.#session.memory, 0);
    }
  }

  /** What is to be replaced and was given out in part, or may go on. */
  #open(): Splice | undefined {
    return [this.#splices[this.#next - 1], this.#splices[this.#next]].find(
      (splice) => splice !== undefined && splice.from < this.#given && splice.to >= this.#given,
    );
  }

  /** Takes out the middle of what was given out of such a match. What stands before it moves up. */
  #shorten(): void {
    const open = this.#open();
    if (open === undefined) return;
    const head = open.from - this.#base + MATCH_HEAD;
    const tail = this.#given - this.#base - MATCH_TAIL;
    const cut = tail - head;
    // Not for every few characters of a long window.
    if (cut < SMALL || cut * 8 < this.#window.length) return;
    this.#window = this.#window.slice(0, head) + this.#window.slice(tail);
    this.#base += cut;
    const at = this.#splices.indexOf(open);
    this.#splices = [{ ...open, from: open.from + cut }, ...this.#splices.slice(at + 1)];
    this.#next -= at;
  }
}

const IGNORE = (): void => {};
