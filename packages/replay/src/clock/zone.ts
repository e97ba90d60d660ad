import { NativeDateTimeFormat } from './native.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** No zone was ever further from UTC: Manila was 15:56 behind, until 1844. */
const FURTHEST = 16 * HOUR;
const LAST_MS = 8.64e15;
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** A time zone of the IANA database: local time there and UTC, one to the other. Times are whole milliseconds, never NaN. */
export class Zone {
  readonly name: string;
  readonly #offsets: Intl.DateTimeFormat;
  readonly #names: Intl.DateTimeFormat;
  #latest = { ms: Number.NaN, offset: 0 };

  /** @throws RangeError for a name that the runtime does not know */
  constructor(name: string) {
    this.name = name;
    this.#offsets = new NativeDateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    this.#names = new NativeDateTimeFormat(undefined, { timeZone: name, timeZoneName: 'long' });
  }

  /** Milliseconds by which local time is ahead of UTC. */
  offsetAt(ms: number): number {
    if (this.#latest.ms !== ms) this.#latest = { ms, offset: offsetIn(this.#offsets.format(clip(ms))) };
    return this.#latest.offset;
  }

  /**
   * The moment at which local time reads `local` (the fields as if they were UTC). Of two it is the first; a time that
   * the clocks jumped over is counted on from before the jump. So says ECMAScript (UTC(t)).
   */
  utcOf(local: number): number {
    const before = this.offsetAt(local - FURTHEST);
    const after = this.offsetAt(local + FURTHEST);
    const first = local - before;
    const second = local - after;
    const isSecond = this.offsetAt(first) !== before && this.offsetAt(second) === after;
    return isSecond ? second : first;
  }

  /** For a person: `Central European Summer Time`. */
  nameAt(ms: number): string {
    const parts = this.#names.formatToParts(clip(ms));
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? this.name;
  }
}

const zones = new Map<string, Zone>();

/** null for a name that the runtime does not know, and for the zone that the process is in. */
export function foreignZone(name: string): Zone | null {
  if (name === new NativeDateTimeFormat().resolvedOptions().timeZone) return null;
  const known = zones.get(name);
  if (known !== undefined) return known;
  try {
    const zone = new Zone(name);
    zones.set(name, zone);
    return zone;
  } catch {
    return null;
  }
}

function offsetIn(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(text) ?? [];
  const offset = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
  return sign === '-' ? -offset : offset;
}

/** Formatters refuse what is no Date's time; zones do not change out there. */
function clip(ms: number): number {
  return Math.max(-LAST_MS, Math.min(ms, LAST_MS));
}
