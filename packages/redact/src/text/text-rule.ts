import { clearOfReplacements, REDACTED } from '../replacement.js';
import type { Hint } from './scout.js';
import { NO_SPLICES, type Splice } from './splice.js';

/** A shape that a credential has in running text. */
export interface TextRule {
  /** Stable name; docs/redaction.md has a row for each. */
  readonly id: string;
  /** What a finding says. */
  readonly reason: string;
  /** Flags `g` and `d`. A group named `secret` is what is replaced; without one, the whole match is. */
  readonly pattern: RegExp;
  /** Words of which every text with a match holds one. Rules without hints are tried on every text. */
  readonly hints?: readonly Hint[];
  /**
   * How many characters of a match tell of it in a text that goes on, where its hints come late in it. Such a match
   * holds no white space.
   */
  readonly tells?: number;
  /** The pattern in a form that finds out in linear time whether a match has begun, where its own does not. */
  readonly begins?: RegExp;
  /** A last look at what was matched. */
  readonly accepts?: (secret: string) => boolean;
  /** Whether what it redacted is so surely a secret that it is to be redacted wherever it recurs. */
  readonly teaches?: (secret: string) => boolean;
}

/** Where the rule strikes. */
export function spliceTextRule(text: string, rule: TextRule, taught: (secret: string) => void): readonly Splice[] {
  const { pattern } = rule;
  pattern.lastIndex = 0;
  let splices: Splice[] | null = null;
  let end = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '') pattern.lastIndex++;
    const span = secretSpan(text, match);
    if (span === null || span[0] < end) continue;
    const secret = text.slice(...span);
    if (rule.accepts?.(secret) === false) continue;
    if (rule.teaches?.(secret) === true) taught(secret);
    splices ??= [];
    splices.push({ from: span[0], to: span[1], by: REDACTED });
    end = span[1];
  }
  return splices ?? NO_SPLICES;
}

function secretSpan(text: string, match: RegExpExecArray): readonly [number, number] | null {
  const named = match.groups === undefined ? undefined : match.indices?.groups?.secret;
  if (match.groups !== undefined && 'secret' in match.groups && named === undefined) return null;
  const [from, to] = named ?? [match.index, match.index + match[0].length];
  return from === to ? null : clearOfReplacements(text, from, to);
}
