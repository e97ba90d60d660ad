import { rememberByKey } from '../keys/key-rule.js';
import { REDACTED } from '../replacement.js';
import type { Hint } from '../text/scout.js';
import { NO_SPLICES, type Splice, spliced } from '../text/splice.js';
import { formsOf, MIN_SECRET, type SecretForm } from './forms.js';
import { lessonsOf } from './lessons.js';
import { FormMatcher } from './matcher.js';

/** What a session has learned to be secret. */
export interface SecretMemory {
  readonly isEmpty: boolean;
  /** How often something was learned. */
  readonly lessons: number;
  /** Whether something that was learned may recur in the text. Settled at little cost for nearly every text. */
  readonly mayHold: (text: string) => boolean;
  /** Learns strings that were redacted together. True when something was new. */
  readonly learn: (secrets: readonly string[]) => boolean;
  /** Whether the text is, but for padding, one spelling of something that was learned. */
  readonly knows: (text: string) => boolean;
  /** Whether nothing recurs in a key. Remembered, since keys come again and again. */
  readonly isClear: (key: string) => boolean;
  /** The text with every recurrence replaced; the same string when there is none. */
  readonly redact: (text: string) => string;
  /** The same, as what is replaced. */
  readonly splices: (text: string) => readonly Splice[];
  /**
   * Where, from an index on, something starts that was learned and of which more may follow: the length of the text
   * where nothing does. Two characters are too few to tell.
   */
  readonly begunIn: (text: string, from: number) => number;
}

/** For a ruleset that looks at each value by itself. */
export const NO_MEMORY: SecretMemory = {
  isEmpty: true,
  lessons: 0,
  mayHold: () => false,
  knows: () => false,
  learn: () => false,
  isClear: () => true,
  redact: (text) => text,
  splices: () => NO_SPLICES,
  begunIn: (text) => text.length,
};

/** A memory whose lessons go elsewhere, to be learned later. */
export function learningInto(memory: SecretMemory, taught: string[]): SecretMemory {
  return {
    isEmpty: memory.isEmpty,
    lessons: memory.lessons,
    mayHold: (text) => memory.mayHold(text),
    knows: (text) => memory.knows(text),
    isClear: (key) => memory.isClear(key),
    redact: (text) => memory.redact(text),
    splices: (text) => memory.splices(text),
    begunIn: (text, from) => memory.begunIn(text, from),
    learn: (secrets) => {
      for (const secret of secrets) taught.push(secret);
      return false;
    },
  };
}

/**
 * The replacement as an agent spells it when it puts a redacted value into a URL or a header. A recording saw the
 * secret there, so what a replay sees must come out the same.
 */
const REPLACEMENT_FORMS = formsOf(REDACTED).filter(({ text }) => text !== REDACTED);

/** Words of which every text with such a spelling in it holds one. */
export const REPLACEMENT_HINTS: readonly Hint[] = [
  ...new Set(REPLACEMENT_FORMS.map(({ text }) => text.slice(0, MIN_SECRET))),
].map((word) => ({ word }));

/** The memory of one session. */
export class SessionMemory implements SecretMemory {
  /** Until anything was learned, only other spellings of the replacement recur. */
  isEmpty = true;
  lessons = 0;
  #matcher: FormMatcher | null = null;
  #clear = rememberByKey((key) => this.redact(key) === key);

  learn(secrets: readonly string[]): boolean {
    // A string made around a secret that was known before is the agent's own composition. A replay composes the same
    // string around the replacement, which teaches nothing, so it must teach nothing here.
    const fresh = new Set(secrets.flatMap(lessonsOf).filter((secret) => this.redact(secret) === secret));
    if (fresh.size === 0) return false;
    for (const secret of fresh) for (const form of formsOf(secret)) this.#forms().add(form);
    this.#clear = rememberByKey((key) => this.redact(key) === key);
    this.isEmpty = false;
    this.lessons++;
    return true;
  }

  knows(text: string): boolean {
    return !this.isEmpty && (this.#forms().has(text) || this.#forms().has(text.replace(/=+$/, '')));
  }

  isClear(key: string): boolean {
    return this.isEmpty || this.#clear(key);
  }

  mayHold(text: string): boolean {
    return !this.isEmpty && this.#forms().mayHold(text);
  }

  redact(text: string): string {
    return spliced(text, this.splices(text));
  }

  splices(text: string): readonly Splice[] {
    return this.#forms().mayHold(text) ? formsIn(text, this.#forms()) : NO_SPLICES;
  }

  begunIn(text: string, from: number): number {
    return this.isEmpty ? text.length : this.#forms().begunIn(text, from);
  }

  #forms(): FormMatcher {
    this.#matcher ??= matcherOf(REPLACEMENT_FORMS);
    return this.#matcher;
  }
}

function matcherOf(forms: readonly SecretForm[]): FormMatcher {
  const matcher = new FormMatcher();
  for (const form of forms) matcher.add(form);
  return matcher;
}

function formsIn(text: string, matcher: FormMatcher): readonly Splice[] {
  const splices: Splice[] = [];
  let end = 0;
  for (const match of matcher.find(text)) {
    // A whole run may have gone with an earlier match.
    if (match.to <= end) continue;
    const from = match.inBase64 ? startOfRun(text, match.from, end) : match.from;
    const to = match.inBase64 ? endOfRun(text, match.to) : match.to;
    splices.push({ from: Math.max(from, end), to, by: REDACTED });
    end = to;
  }
  return splices;
}

const RUN_CHARACTER = /[A-Za-z0-9+/_-]/;
const ESCAPED_CHARACTER = /%2[BbFf]/y;
const REST_OF_RUN = /(?:[A-Za-z0-9+/_-]|%2[BbFf])*(?:=|%3[Dd]){0,2}/y;

function startOfRun(text: string, at: number, floor: number): number {
  let start = at;
  for (;;) {
    if (start > floor && RUN_CHARACTER.test(text[start - 1] as string)) start--;
    else if (start - 3 >= floor && isEscapeAt(text, start - 3)) start -= 3;
    else return start;
  }
}

function isEscapeAt(text: string, at: number): boolean {
  ESCAPED_CHARACTER.lastIndex = at;
  return ESCAPED_CHARACTER.test(text);
}

function endOfRun(text: string, at: number): number {
  REST_OF_RUN.lastIndex = at;
  REST_OF_RUN.exec(text);
  return REST_OF_RUN.lastIndex;
}
