/** Taken when the module loads: a program may put another `Date` in its place. */
const NativeDate = Date;

/** `2026-01-31T12:00:00.000Z`; throws RangeError for what is no time. */
export function isoText(ms: number): string {
  return new NativeDate(ms).toISOString();
}

/**
 * Milliseconds since the epoch as the format writes them: UTC as `Z`, no fraction where it is zero, otherwise
 * six digits.
 */
export function formatTimestamp(ms: number): string {
  const iso = isoText(ms);
  return iso.endsWith('.000Z') ? `${iso.slice(0, -5)}Z` : `${iso.slice(0, -1)}000Z`;
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+\-\u2212])(\d\d):?(\d\d))$/;
const DIGITS = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
/** Of each month, but for the leap day. */
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Beyond this, a number counts milliseconds instead of seconds (the original's rule). */
const SECONDS_LIMIT = 2e10;
/** Years 1 to 9999. */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;

/**
 * Reads a timestamp as generously as the original does (a space for `T`, no seconds, a comma, offsets without a
 * colon, Unix seconds or milliseconds as number or digits) and returns it as the format writes it. Fractions beyond
 * microseconds are cut.
 *
 * @returns null for anything else; also without a zone, with second 60 or hour 24
 */
export function parseTimestamp(value: unknown): string | null {
  if (typeof value === 'number') return fromUnix(value);
  if (typeof value !== 'string') return null;
  return DIGITS.test(value) ? fromUnix(Number(value)) : fromIso(value);
}

function fromIso(text: string): string | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = ''] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59 || !isDate(year, month, day)) return null;
  const zone = zoneOf(match);
  if (zone === null) return null;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fractionText(fraction)}${zone}`;
}

function isDate(year: string, month: string, day: string): boolean {
  const days = DAYS[Number(month) - 1] ?? 0;
  const isLeapDay = month === '02' && day === '29' && isLeapYear(Number(year));
  return Number(year) > 0 && Number(day) > 0 && (Number(day) <= days || isLeapDay);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function zoneOf(match: RegExpExecArray): string | null {
  const [, , , , , , , , utc, sign, hours = '00', minutes = '00'] = match;
  if (utc !== undefined || (hours === '00' && minutes === '00')) return 'Z';
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${sign === '+' ? '+' : '-'}${hours}:${minutes}`;
}

function fractionText(digits: string): string {
  const microseconds = digits.slice(0, 6).padEnd(6, '0');
  return microseconds === '000000' ? '' : `.${microseconds}`;
}

function fromUnix(value: number): string | null {
  const ms = Math.abs(value) <= SECONDS_LIMIT ? value * 1000 : value;
  if (!(ms >= FIRST_MS && ms <= LAST_MS)) return null;
  const wholeSeconds = Math.floor(ms / 1000);
  const microseconds = Math.min(Math.round((ms - wholeSeconds * 1000) * 1000), 999_999);
  const iso = isoText(wholeSeconds * 1000).slice(0, 19);
  return `${iso}${fractionText(String(microseconds).padStart(6, '0'))}Z`;
}
