import { types } from 'node:util';
import { ownerOf } from '@stepfork/recorder/boundary';
import { clockHere } from './here.js';
import { LOCAL_METHODS, textOf } from './local-date.js';
import { parseIn } from './local-text.js';
import { DATE_PROTOTYPES, NativeDate } from './native.js';
import { replaceClass, replaceMethod, type Undo } from './property.js';
import type { Clock } from './run-clock.js';
import { withZone } from './with-zone.js';
import type { Zone } from './zone.js';

type DateFunction = (...args: unknown[]) => unknown;

/** Lets Date go by the clock of the run in whose context it is asked. */
export function patchDate(): readonly Undo[] {
  return [
    ...[...DATE_PROTOTYPES].flatMap((prototype) => [...localMethods(prototype), ...localeMethods(prototype)]),
    replaceMethod<() => number>(ownerOf(Date, 'now'), 'now', (native, self, args) => {
      const clock = clockHere();
      return clock === null ? Reflect.apply(native, self, args) : clock.date();
    }),
    replaceMethod<(text: string) => number>(ownerOf(Date, 'parse'), 'parse', (native, self, args) => {
      const zone = clockHere()?.zone ?? null;
      return zone === null ? Reflect.apply(native, self, args) : parseIn(zone, `${args[0] as string}`);
    }),
    ...replaceClass(globalThis, 'Date', dateOver),
  ];
}

function localMethods(prototype: object): readonly Undo[] {
  return [...LOCAL_METHODS].map(([name, method]) =>
    replaceMethod<DateFunction>(prototype, name, (native, self, args) => {
      const zone = clockHere()?.zone ?? null;
      return zone === null ? Reflect.apply(native, self, args) : method(zone, self as Date, args);
    }),
  );
}

function localeMethods(prototype: object): readonly Undo[] {
  return ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'].map((name) =>
    replaceMethod<DateFunction>(prototype, name, (native, self, args) => {
      const zone = clockHere()?.zone ?? null;
      const inZone = zone === null ? args : [args[0], withZone(args[1], zone)];
      return Reflect.apply(native, self, inZone);
    }),
  );
}

/** Over the realm's own Date, or over what fake timers have put in its place: outside a run, that is what answers. */
function dateOver(native: DateConstructor): DateConstructor {
  return new Proxy(native, {
    construct(target, args: unknown[], newTarget) {
      const clock = clockHere();
      return Reflect.construct(target, clock === null ? args : argumentsIn(clock, args), newTarget);
    },
    apply(target, self, args: unknown[]) {
      const clock = clockHere();
      if (clock === null) return Reflect.apply(target, self, args);
      const ms = clock.date();
      return clock.zone === null ? new NativeDate(ms).toString() : textOf(clock.zone, ms);
    },
  });
}

/** What is to be given to Date so that it means the same moment in any zone. */
function argumentsIn(clock: Clock, args: unknown[]): unknown[] {
  if (args.length === 0) return [clock.date()];
  if (clock.zone === null) return args;
  return [args.length === 1 ? momentIn(clock.zone, args[0]) : momentOf(clock.zone, args as [number, number])];
}

function momentIn(zone: Zone, value: unknown): unknown {
  if (types.isDate(value)) return value;
  const primitive = toPrimitive(value);
  return typeof primitive === 'string' ? parseIn(zone, primitive) : primitive;
}

function momentOf(zone: Zone, fields: [number, number]): number {
  const local = NativeDate.UTC(...fields);
  return Number.isNaN(local) ? local : zone.utcOf(local);
}

/** As ECMAScript has it, without a hint. What Date makes of anything that is no text, it may do itself. */
function toPrimitive(value: unknown): unknown {
  if (typeof value !== 'object' && typeof value !== 'function') return value;
  if (value === null || Reflect.get(value, Symbol.toPrimitive) !== undefined) return value;
  const primitive: unknown = value.valueOf();
  return Object(primitive) === primitive ? String(value) : primitive;
}
