/** From here on, JavaScript writes whole numbers in scientific notation. */
const INTEGER_LIMIT = 1e21;

/**
 * Whether a JavaScript number prints as an integer. -0 does not: an integer has no negative zero, so it is the
 * float `-0.0`.
 */
export function printsAsInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < INTEGER_LIMIT && !Object.is(value, -0);
}

/** Canonical text of a finite number: whole ones below 1e21 as integers, all others in the float layout. */
export function numberText(value: number): string {
  return printsAsInteger(value) ? String(value) : floatText(value);
}

/**
 * The float layout of the canonical profile (Python's `repr`): the shortest round-trip digits, which are
 * JavaScript's too, positional from 1e-4 up to below 1e16, otherwise `d.ddde±XX` with two exponent digits or more.
 */
export function floatText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponentText = ''] = value.toExponential().split('e');
  const sign = value < 0 ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const power = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${power}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
