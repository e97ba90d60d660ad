import type { JsonObject } from '@stepfork/trace-format/write';
import type { Pair } from '../align/pair.js';
import type { SharedEnds } from '../trace/shared-ends.js';
import type { Sides, Step } from '../trace/steps.js';
import { issuedPrefix } from './issued-id.js';
import { mapTexts, meetTexts, someText } from './map-texts.js';

/**
 * Both runs with every id that a provider issued alike, so that calls which differ in nothing else are found to be the
 * same; null where the runs differ in no such id.
 */
export function withAlikeIds({ a, b }: Sides, { first, last }: SharedEnds): Sides | null {
  if (!holdsIds(a, first, a.length - last) || !holdsIds(b, first, b.length - last)) return null;
  const alike = (text: string): string => issuedPrefix(text) ?? text;
  return { a: a.map((step) => withTexts(step, alike)), b: b.map((step) => withTexts(step, alike)) };
}

/**
 * Both runs with their ids named in the order in which counterparts first have them, `call_#1` on either side. An id
 * that no counterpart has keeps its spelling.
 *
 * @param pairs counterparts, in one order on both sides
 */
export function withNamedIds({ a, b }: Sides, pairs: readonly Pair[]): Sides {
  const names = { a: new Map<string, string>(), b: new Map<string, string>() };
  let count = 0;
  const meet = (before: string, after: string): void => {
    const prefix = issuedPrefix(before);
    if (prefix === null || prefix !== issuedPrefix(after) || names.a.has(before) || names.b.has(after)) return;
    const name = `${prefix}#${++count}`;
    names.a.set(before, name);
    names.b.set(after, name);
  };
  for (const pair of pairs) meetTexts((a[pair.a] as Step).fields, (b[pair.b] as Step).fields, meet);
  const named = (steps: readonly Step[], known: ReadonlyMap<string, string>): readonly Step[] =>
    steps.map((step) => withTexts(step, (text) => known.get(text) ?? text));
  return { a: named(a, names.a), b: named(b, names.b) };
}

function holdsIds(steps: readonly Step[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (someText((steps[at] as Step).fields, isIssued)) return true;
  return false;
}

function isIssued(text: string): boolean {
  return issuedPrefix(text) !== null;
}

function withTexts(step: Step, change: (text: string) => string): Step {
  const fields = mapTexts(step.fields, change) as JsonObject;
  return fields === step.fields ? step : { ...step, fields };
}
