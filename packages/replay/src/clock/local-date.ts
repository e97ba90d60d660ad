import { DATE_PROTOTYPE, NativeDate, setTimeOf, timeOf } from './native.js';
import type { Zone } from './zone.js';

/** A method of Date.prototype that goes by the local time zone, in a zone that is given. */
export type LocalMethod = (zone: Zone, date: Date, args: readonly unknown[]) => unknown;

const MINUTE = 60_000;
const GETTERS = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds'];
const SETTERS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];

/** All but `toLocaleString` and its like, which take a time zone themselves. */
export const LOCAL_METHODS: ReadonlyMap<string, LocalMethod> = new Map([
  ...GETTERS.map((field): [string, LocalMethod] => [`get${field}`, getter(`getUTC${field}`)]),
  ...SETTERS.map((field): [string, LocalMethod] => [`set${field}`, setter(`setUTC${field}`)]),
  ['getYear', (zone, date) => shadowOf(zone, date).getUTCFullYear() - 1900],
  ['setYear', (zone, date, [year]) => setYear(zone, date, Number(year))],
  ['getTimezoneOffset', (zone, date) => minutesBehind(zone, timeOf(date))],
  ['toString', (zone, date) => textOf(zone, timeOf(date))],
  ['toDateString', (zone, date) => textOrInvalid(zone, date, dateText)],
  ['toTimeString', (zone, date) => textOrInvalid(zone, date, timeText)],
]);

/** As `Date.prototype.toString` gives it, and `Date()`. */
export function textOf(zone: Zone, ms: number): string {
  return textOrInvalid(zone, new NativeDate(ms), (z, t) => `${dateText(z, t)} ${timeText(z, t)}`);
}

/** A Date whose UTC fields are the local fields of `date`. */
function shadowOf(zone: Zone, date: Date): Date {
  const ms = timeOf(date);
  return new NativeDate(Number.isNaN(ms) ? ms : ms + zone.offsetAt(ms));
}

/** Sets the Date to the moment of a local time, which may be NaN. */
function setLocal(zone: Zone, date: Date, local: number): number {
  return setTimeOf(date, Number.isNaN(local) ? local : zone.utcOf(local));
}

function getter(ofUtc: string): LocalMethod {
  return (zone, date) => methodOf(ofUtc).call(shadowOf(zone, date));
}

function setter(ofUtc: string): LocalMethod {
  return (zone, date, args) => setLocal(zone, date, methodOf(ofUtc).apply(shadowOf(zone, date), [...args]));
}

function methodOf(name: string): (this: Date, ...args: unknown[]) => number {
  return Reflect.get(DATE_PROTOTYPE, name);
}

function setYear(zone: Zone, date: Date, year: number): number {
  const whole = Math.trunc(year);
  return setLocal(zone, date, shadowOf(zone, date).setUTCFullYear(whole >= 0 && whole <= 99 ? 1900 + whole : year));
}

function minutesBehind(zone: Zone, ms: number): number {
  // Plus zero: there is no -0 minutes.
  return Number.isNaN(ms) ? ms : Math.trunc(-zone.offsetAt(ms) / MINUTE) + 0;
}

function textOrInvalid(zone: Zone, date: Date, text: (zone: Zone, ms: number) => string): string {
  const ms = timeOf(date);
  return Number.isNaN(ms) ? 'Invalid Date' : text(zone, ms);
}

/** `Thu Jan 01 2026`. */
function dateText(zone: Zone, ms: number): string {
  const [weekday = '', day, month, year] = fieldsOf(zone, ms);
  return `${weekday.slice(0, 3)} ${month} ${day} ${year}`;
}

/** `05:30:00 GMT+0530 (India Standard Time)`. */
function timeText(zone: Zone, ms: number): string {
  const behind = minutesBehind(zone, ms);
  const minutes = Math.abs(behind);
  const offset = twoDigits(Math.trunc(minutes / 60)) + twoDigits(minutes % 60);
  return `${fieldsOf(zone, ms)[4]} GMT${behind > 0 ? '-' : '+'}${offset} (${zone.nameAt(ms)})`;
}

/** `Thu,` `01` `Jan` `2026` `05:30:00`. */
function fieldsOf(zone: Zone, ms: number): readonly string[] {
  return new NativeDate(ms + zone.offsetAt(ms)).toUTCString().split(' ');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
