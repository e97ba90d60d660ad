import { parseNative } from './native.js';
import type { Zone } from './zone.js';

const ISO_DATE = /^(?:[+-]\d{6}|\d{4})(?:-\d\d(?:-\d\d)?)?$/;
const ISO_LOCAL = /^(?:[+-]\d{6}|\d{4})(?:-\d\d){0,2}T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?$/;
/** The engine skips comments, and words before the first digit. */
const SKIPPED = /^[^\d]+|\([^()]*\)/g;
const ZONE_WORD = /(?<![a-z])(?:utc?|z|gmt|[cemp][ds]t)(?![a-z])/i;
/** A sign counts as an offset from UTC once a time of day was read. */
const ZONE_OFFSET = /\d:\d.*[+-]\s*\d/s;

/** What `Date.parse` gives for the text in a process of that zone. */
export function parseIn(zone: Zone, text: string): number {
  const local = saysItsZone(text) ? Number.NaN : parseNative(text + (ISO_LOCAL.test(text) ? 'Z' : ' UTC'));
  return Number.isNaN(local) ? parseNative(text) : zone.utcOf(local);
}

/** Whether the text means the same moment in every zone. */
function saysItsZone(text: string): boolean {
  if (ISO_DATE.test(text)) return true;
  const read = text.replace(SKIPPED, ' ');
  return ZONE_WORD.test(read) || ZONE_OFFSET.test(read);
}
