import type { KeyRules } from '../keys/key-rule.js';
import { REPLACEMENT_HINTS, type SecretMemory } from '../memory/memory.js';
import { REDACTED } from '../replacement.js';
import { ASSIGNMENT_HINTS, spliceAssignments } from './assignment-text.js';
import { spliceJsonText } from './json-text.js';
import { splicePairs } from './pair-text.js';
import { ESCAPE_HINT, type ReadableText, readableText } from './readable-text.js';
import { type Hint, Scout } from './scout.js';
import { soundSplices } from './sound-splices.js';
import { composed, NO_SPLICES, type RuleName, type Splice, spliced } from './splice.js';
import { spliceTextRule, type TextRule } from './text-rule.js';

/** The rules for running text, ready for use. */
export interface TextRules {
  readonly builtIn: ScoutedShapes;
  /** Rules that are tried on every text. */
  readonly custom: readonly TextRule[];
  /** Key rules to apply inside text, or null. */
  readonly keysInText: KeyRules | null;
  /** Whether some of those keys are the user's own, of which the scout knows nothing. */
  readonly hasOwnKeys: boolean;
}

/**
 * Shapes, and a scout whose subject n is shape n; then come the replacement in another spelling, and the characters
 * without which no key stands in a text, the words of which each assignment holds one, and the beginning of an escape.
 */
export interface ScoutedShapes {
  readonly shapes: readonly TextRule[];
  readonly scout: Scout;
}

/** A quote around a key of JSON text, or the sign after the name in a query. */
const KEY_HINTS: readonly Hint[] = [{ word: '"' }, { word: '=' }];

export function scoutedShapes(shapes: readonly TextRule[]): ScoutedShapes {
  return {
    shapes,
    scout: new Scout([
      ...shapes.map((shape) => shape.hints ?? []),
      REPLACEMENT_HINTS,
      KEY_HINTS,
      ASSIGNMENT_HINTS,
      [{ word: ESCAPE_HINT }],
    ]),
  };
}

export interface RedactedText {
  readonly text: string;
  /** What was replaced of the text that was given, in order. */
  readonly splices: readonly Splice[];
  /** Why, by the first rule that struck. */
  readonly reason: string;
  /** Its name, or the reason where it has none. */
  readonly rule: string;
}

/** Shorter texts hold no built-in shape, no secret that is looked for, and no secret key with a value: most texts. */
const MIN_TEXT = 6;

/**
 * Applies all rules, in order, until none strikes any more: each application leaves less text that is no
 * replacement, so it ends, and the result is at rest by construction. Answers null when none strikes at all.
 *
 * Recurrences go first: what a session has learned is then gone before any other rule looks, and a text that a
 * recording saw with the secret and one that a replay sees with the replacement are the same to all of them.
 */
export function redactText(
  text: string,
  rules: TextRules,
  memory: SecretMemory,
  taught: (secret: string) => void,
): RedactedText | null {
  const first = applyOnce(text, rules, memory, taught);
  if (first === null) return null;
  let last = first;
  for (;;) {
    const next = applyOnce(last.text, rules, memory, taught);
    if (next === null) return { ...first, text: last.text, splices: last.splices };
    last = { ...next, splices: composed(last.splices, next.splices, last.text) };
  }
}

function applyOnce(
  text: string,
  rules: TextRules,
  memory: SecretMemory,
  taught: (secret: string) => void,
): RedactedText | null {
  const seen = text.length < MIN_TEXT ? null : rules.builtIn.scout.look(text);
  const mayRecur = memory.mayHold(text);
  if (seen === null && !mayRecur && rules.custom.length === 0 && !rules.hasOwnKeys) return null;
  return applySeen(text, seen ?? NOTHING_SEEN, mayRecur, rules, memory, taught);
}

function applyReadable(
  source: string,
  readable: ReadableText,
  rules: TextRules,
  memory: SecretMemory,
  taught: (secret: string) => void,
): RedactedText | null {
  const { text, inSource } = readable;
  const seen = rules.builtIn.scout.look(text) ?? NOTHING_SEEN;
  const read =
    applyAsItIs(text, seen, memory.mayHold(text), rules, memory, taught) ??
    applyToEscapes(source, readable, rules.custom, taught);
  if (read === null) return null;
  const splices = read.splices.map((splice) => ({ ...splice, ...inSource(splice) }));
  return { ...read, text: spliced(source, splices), splices };
}

/** A pattern of the user may be about the escapes themselves. */
function applyToEscapes(
  source: string,
  { text, fromSource }: ReadableText,
  custom: readonly TextRule[],
  taught: (secret: string) => void,
): RedactedText | null {
  for (const rule of custom) {
    const said = spliceTextRule(source, rule, taught).map((splice) => ({ ...splice, ...fromSource(splice) }));
    const splices = said.length === 0 ? said : soundSplices(text, merged(said));
    if (splices.length > 0) {
      const { id, reason } = rule;
      return {
        text: spliced(text, splices),
        splices: splices.map((splice) => ({ ...splice, rule })),
        reason,
        rule: id,
      };
    }
  }
  return null;
}

const NOTHING_SEEN = new Uint8Array(0);

/** @param seen what the scout saw, by subject */
function applySeen(
  text: string,
  seen: Uint8Array,
  mayRecur: boolean,
  rules: TextRules,
  memory: SecretMemory,
  taught: (secret: string) => void,
): RedactedText | null {
  const mayBeRead = rules.keysInText !== null && seen[rules.builtIn.shapes.length + 3] === 1;
  const readable = mayBeRead ? readableText(text) : null;
  if (readable !== null) return applyReadable(text, readable, rules, memory, taught);
  return applyAsItIs(text, seen, mayRecur, rules, memory, taught);
}

function applyAsItIs(
  text: string,
  seen: Uint8Array,
  mayRecur: boolean,
  rules: TextRules,
  memory: SecretMemory,
  taught: (secret: string) => void,
): RedactedText | null {
  const { shapes } = rules.builtIn;
  const recurrences = mayRecur || seen[shapes.length] === 1 ? memory.splices(text) : NO_SPLICES;
  const applied = applyRules(text, seen, recurrences, rules, taught);
  if (applied === null || recurrences.length === 0) return applied;
  const striking = [...shapes.filter((_, index) => seen[index] === 1), ...rules.custom];
  const broken = brokenKeys(text, striking, recurrences, applied.splices, taught);
  return broken.length === 0 ? applied : applyRules(text, seen, merged([...recurrences, ...broken]), rules, taught);
}

function applyRules(
  text: string,
  seen: Uint8Array,
  recurrences: readonly Splice[],
  { builtIn: { shapes }, custom, keysInText, hasOwnKeys }: TextRules,
  taught: (secret: string) => void,
): RedactedText | null {
  let current = text;
  let all = NO_SPLICES;
  let struck: RuleName | null = null;
  const step = (rule: RuleName, said: readonly Splice[], isSound = false): void => {
    const splices = said.length === 0 || isSound ? said : soundSplices(current, said);
    if (splices.length === 0) return;
    struck ??= rule;
    const named = splices.map((splice) => ({ ...splice, rule }));
    all = composed(all, named, current);
    current = spliced(current, splices);
  };
  step(RECURRENCE, recurrences);
  if (keysInText !== null && seen[shapes.length + 1] === 1) {
    // They stand in JSON by what they are.
    step(KEY_RULE, spliceJsonText(current, keysInText, taught), true);
    step(KEY_RULE, splicePairs(current, keysInText, taught));
  }
  shapes.forEach((shape, index) => {
    if (seen[index] === 1) step(shape, spliceTextRule(current, shape, taught));
  });
  // After the shapes, which know better where the value of a header or of a connection string ends.
  if (keysInText !== null && (hasOwnKeys || seen[shapes.length + 2] === 1)) {
    step(KEY_RULE, spliceAssignments(current, keysInText, taught));
  }
  for (const shape of custom) step(shape, spliceTextRule(current, shape, taught));
  const { reason, id } = struck ?? RECURRENCE;
  return all.length === 0 ? null : { text: current, splices: all, reason, rule: id };
}

/** What a key is made of. The value of a cookie or of a header may be anything, and a part of it says nothing. */
const KEY = /^[A-Za-z0-9_.~+/-]+$/;
/** What is left of a key and is shorter than this says nothing: `sk-`. */
const MOST_LEFT = 8;

/**
 * Keys of which too much was left: a part of them recurred, and without it their own rule does not know them any more.
 * A preview of a key (`sk-abcdefgh…`) may be the first that a session sees of it.
 */
function brokenKeys(
  text: string,
  rules: readonly TextRule[],
  recurrences: readonly Splice[],
  splices: readonly Splice[],
  taught: (secret: string) => void,
): readonly Splice[] {
  return rules.flatMap((rule) => {
    const recurring = overlapping(recurrences);
    const replaced = overlapping(splices);
    return spliceTextRule(text, rule, IGNORE).filter(({ from, to }) => {
      const key = text.slice(from, to);
      if (recurring(from, to).length === 0 || !KEY.test(key)) return false;
      if (longestLeft(from, to, replaced(from, to)) < MOST_LEFT) return false;
      if (rule.teaches?.(key) === true) taught(key);
      return true;
    });
  });
}

const IGNORE = (): void => {};

/** Tells which splices overlap a span. The splices are in order, and so are the spans that it is asked about. */
function overlapping(splices: readonly Splice[]): (from: number, to: number) => readonly Splice[] {
  let first = 0;
  return (from, to) => {
    while (first < splices.length && (splices[first] as Splice).to <= from) first++;
    let end = first;
    while (end < splices.length && (splices[end] as Splice).from < to) end++;
    return splices.slice(first, end);
  };
}

/** Length of the longest part of a span that no splice replaces. */
function longestLeft(from: number, to: number, splices: readonly Splice[]): number {
  let at = from;
  let most = 0;
  for (const splice of splices) {
    most = Math.max(most, splice.from - at);
    at = Math.max(at, splice.to);
  }
  return Math.max(most, to - at);
}

/** Splices in order, those that overlap as one. */
function merged(splices: readonly Splice[]): readonly Splice[] {
  const result: Splice[] = [];
  for (const splice of [...splices].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const before = result.at(-1);
    if (before === undefined || before.to <= splice.from) result.push(splice);
    else result[result.length - 1] = { from: before.from, to: Math.max(before.to, splice.to), by: REDACTED };
  }
  return result;
}

/** What the memory says. */
export const RECURRENCE: RuleName = { id: 'recurring_secret', reason: 'recurring_secret' };
/** What keys in text say of their values. */
export const KEY_RULE: RuleName = { id: 'sensitive_key', reason: 'sensitive_key' };
