import { deserialize, serialize } from 'node:v8';
import { ownerOf } from '@stepfork/recorder/boundary';

// A test runner's fake timers may have been on when this module loads. What they put in place of a class inherits
// from the realm's own prototype, and that one knows the class.

export const DATE_PROTOTYPE = ownerOf(Date.prototype, 'getTime') as Date;
export const NativeDate = DATE_PROTOTYPE.constructor as DateConstructor;

export const { parse: parseNative } = NativeDate;

/** Also that of the Dates which Node itself makes (of a file's times): under jest they are of another realm. */
export const DATE_PROTOTYPES: ReadonlySet<object> = new Set([
  DATE_PROTOTYPE,
  ownerOf(deserialize(serialize(new NativeDate(0))) as Date, 'getTime'),
]);

export const FORMAT_PROTOTYPE = ownerOf(Intl.DateTimeFormat.prototype, 'formatToParts') as Intl.DateTimeFormat;
export const NativeDateTimeFormat = FORMAT_PROTOTYPE.constructor as typeof Intl.DateTimeFormat;

const { getTime, setTime } = DATE_PROTOTYPE;

/** @throws TypeError for what is no Date */
export function timeOf(date: Date): number {
  return Reflect.apply(getTime, date, []);
}

export function setTimeOf(date: Date, ms: number): number {
  return Reflect.apply(setTime, date, [ms]);
}
