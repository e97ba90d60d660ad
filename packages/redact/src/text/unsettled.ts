import type { SecretMemory } from '../memory/memory.js';
import { spliceAssignments } from './assignment-text.js';
import { begunPattern } from './begun-pattern.js';
import { spliceJsonText } from './json-text.js';
import { openNumber } from './open-number.js';
import { splicePairs } from './pair-text.js';
import { cutEscape, type ReadableText, readableText } from './readable-text.js';
import type { TextRules } from './text-redactor.js';
import type { TextRule } from './text-rule.js';

/**
 * Where in a text something starts that more text may make a secret, or more of one; the text's length where nothing
 * does. Built-in rules are asked once there is a sign of them: a lone `s` may become `sk-…`, and any word may.
 *
 * @param from up to where it does not matter any more
 */
export function unsettledFrom(text: string, rules: TextRules, memory: SecretMemory, from: number): number {
  const first = openFrom(text, rules, memory, from);
  const readable = rules.keysInText === null ? null : readableText(text);
  const read = readable === null ? first : startIn(readable, openFrom(readable.text, rules, memory, 0));
  const whole = cutEscape(text);
  if (whole === text.length) return Math.min(first, read);
  // What goes on after half an escape may go on from what lies before that.
  const before = unsettledFrom(text.slice(0, whole), rules, memory, from);
  return Math.min(first, read, before < whole ? before : text.length);
}

function startIn(readable: ReadableText, at: number): number {
  return readable.inSource({ from: at, to: at }).from;
}

function openFrom(text: string, rules: TextRules, memory: SecretMemory, from: number): number {
  const { builtIn, custom, keysInText, hasOwnKeys } = rules;
  const { shapes } = builtIn;
  const seen = builtIn.scout.look(text);
  let first = memory.begunIn(text, from - 2);
  if (!memory.isEmpty || custom.length > 0) first = Math.min(first, openNumber(text));
  const open = (at: number): void => {
    first = Math.min(first, at);
  };
  if (keysInText !== null && seen?.[shapes.length + 1] === 1) {
    spliceJsonText(text, keysInText, IGNORE, open);
    splicePairs(text, keysInText, IGNORE, open);
  }
  if (keysInText !== null && (hasOwnKeys || seen?.[shapes.length + 2] === 1)) {
    spliceAssignments(text, keysInText, IGNORE, open);
  }
  shapes.forEach((shape, index) => {
    if (seen?.[index] === 1 || shape.tells !== undefined) open(begunAt(text, shape, seen?.[index] === 1));
  });
  for (const rule of custom) open(begunAt(text, rule));
  return first;
}

/** Hints are shorter, and so is what lies between a hint and the beginning of a match that tells of it. */
export const OVERLAP = 32;

/**
 * Whether the end of a text gives no rule a reason to look at it, where none had one to look at what lies before.
 *
 * @param from where the end starts; a little of what lies before is looked at with it
 */
export function isQuiet(text: string, rules: TextRules, memory: SecretMemory, from: number): boolean {
  const { builtIn, custom, keysInText, hasOwnKeys } = rules;
  if (custom.length > 0 || hasOwnKeys) return false;
  const end = text.slice(Math.max(0, from - OVERLAP));
  if (keysInText !== null && (cutEscape(end) < end.length || readableText(end) !== null)) return false;
  if (builtIn.scout.look(end) !== null || memory.mayHold(end)) return false;
  if (memory.begunIn(text, from - 2) < text.length) return false;
  if (!memory.isEmpty && openNumber(text) < text.length) return false;
  return builtIn.shapes.every((shape) => shape.tells === undefined || begunAt(text, shape) === text.length);
}

const IGNORE = (): void => {};
/** What is told by a number of characters is no longer than this. */
const LONGEST_TELLING = 128;
const patterns = new WeakMap<TextRule, RegExp>();

/** Where the secret of a begun match starts. */
function begunAt(text: string, rule: TextRule, isHinted = rule.tells === undefined): number {
  if (!isHinted && !isRun(text, rule.tells as number)) return text.length;
  const start = isHinted ? 0 : Math.max(0, text.length - LONGEST_TELLING);
  const match = patternOf(rule).exec(start === 0 ? text : text.slice(start));
  if (match === null || !isTelling(match[0], rule)) return text.length;
  const isNamed = match.groups !== undefined && 'secret' in match.groups;
  return isNamed ? (match.indices?.groups?.secret?.[0] ?? text.length) : start + match.index;
}

function patternOf(rule: TextRule): RegExp {
  const known = patterns.get(rule);
  if (known !== undefined) return known;
  const pattern = begunPattern(rule.begins ?? rule.pattern);
  patterns.set(rule, pattern);
  return pattern;
}

/** Whether a text ends in so many characters that are no white space. */
function isRun(text: string, length: number): boolean {
  if (text.length < length) return false;
  for (let at = text.length - length; at < text.length; at++) if (text.charCodeAt(at) <= 0x20) return false;
  return true;
}

function isTelling(begun: string, { hints, tells }: TextRule): boolean {
  if (hints === undefined || begun.length >= (tells ?? Number.POSITIVE_INFINITY)) return true;
  const lower = begun.toLowerCase();
  return hints.some(({ word, anyCase = false }) => (anyCase ? lower : begun).includes(word));
}
