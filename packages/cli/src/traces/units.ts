const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `30d`, `12h`, `90min`: milliseconds. Null for text that is no span of time. */
export function parseSpan(text: string): number | null {
  const [, amount, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?(s|min|m|h|d|w)$/.exec(text) ?? [];
  return amount === undefined ? null : Number(amount) * (SECONDS[unit] ?? 0) * 1000;
}

/** A span that ended at `now`, or a date or time by ISO 8601: milliseconds since the epoch. Null for other text. */
export function parseMoment(text: string, now: number): number | null {
  const span = parseSpan(text);
  if (span !== null) return now - span;
  const isIso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const moment = isIso ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
}

const POWERS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1GB`, `500 MB`, `64KiB`: bytes. Null for text that is no size. */
export function parseSize(text: string): number | null {
  const [, amount, prefix = '', binary] = /^(\d{1,12}(?:\.\d{1,3})?) ?([kmgt]?)(i?)b?$/i.exec(text) ?? [];
  if (amount === undefined || (binary !== '' && prefix === '')) return null;
  const power = ['', 'k', 'm', 'g', 't'].indexOf(prefix.toLowerCase());
  return Math.floor(Number(amount) * (binary === '' ? 1000 : 1024) ** power);
}

/** `812 B`, `4.2 kB`, `1.1 GB`. */
export function formatSize(bytes: number): string {
  let amount = bytes;
  let power = 0;
  while (amount >= 999.5 && power < POWERS.length - 1) {
    amount /= 1000;
    power++;
  }
  return `${power === 0 || amount >= 99.95 ? Math.round(amount) : amount.toFixed(1)} ${POWERS[power]}`;
}

/** How long ago something was, in its largest unit: `40 s`, `5 min`, `3 h`, `12 d`. What is still to come is `0 s` ago. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
