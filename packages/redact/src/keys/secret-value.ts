import { REDACTED } from '../replacement.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The shortest run of letters and digits that tells, and the shortest in a long value: Base64 has other signs, too. */
const RUN = /[A-Za-z0-9]{16,}/g;
const RUN_IN_LONG = /[A-Za-z0-9]{12,}/g;
const LONG = 32;
const HEXADECIMAL = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
/** Words and numbers, as a name is made of them. */
const PARTS = /[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
/** Parts of a name are longer on the average. */
const MEAN_PART = 4;

/**
 * Whether a value looks like one that a machine made to be kept secret, or holds a place that was redacted: what is
 * left of such a value is the same, whether a recording redacted the place or a replay was given the replacement.
 */
export function looksSecret(value: string): boolean {
  if (value.includes(REDACTED) || UUID.test(value)) return true;
  return (value.match(value.length < LONG ? RUN : RUN_IN_LONG) ?? []).some(isRandom);
}

function isRandom(run: string): boolean {
  if (!/[0-9]/.test(run) || !/[A-Za-z]/.test(run)) return false;
  return HEXADECIMAL.test(run) || (run.match(PARTS) ?? []).length * MEAN_PART > run.length;
}
