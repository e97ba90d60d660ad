import { clockHere } from './here.js';
import { FORMAT_PROTOTYPE, NativeDateTimeFormat } from './native.js';
import { replaceClass, replaceMethod, replaceProperty, type Undo } from './property.js';
import type { Clock } from './run-clock.js';
import { withZone } from './with-zone.js';

type Format = (date?: unknown) => string;

/** Lets formatters that are made in a run default to its time zone, and to its time. */
export function patchIntl(): readonly Undo[] {
  return [
    replaceMethod<(date?: unknown) => unknown>(FORMAT_PROTOTYPE, 'formatToParts', (native, self, args) =>
      Reflect.apply(native, self, dated(args)),
    ),
    replaceProperty(FORMAT_PROTOTYPE, 'format', (original) => ({ ...original, get: formatGetter(original) })),
    ...replaceClass(Intl, 'DateTimeFormat', formatterOver),
  ];
}

function formatterOver(native: typeof Intl.DateTimeFormat): typeof Intl.DateTimeFormat {
  const ours: typeof Intl.DateTimeFormat = new Proxy(native, {
    construct(target, args: unknown[], newTarget) {
      const clock = clockHere();
      if (clock === null) return Reflect.construct(target, args, newTarget);
      // Fake timers give formatters that know the fake time; their class is passed over.
      return Reflect.construct(
        NativeDateTimeFormat,
        argumentsIn(clock, args),
        newTarget === ours ? NativeDateTimeFormat : newTarget,
      );
    },
    apply(target, self, args: unknown[]) {
      const clock = clockHere();
      if (clock === null) return Reflect.apply(target, self, args);
      return Reflect.apply(NativeDateTimeFormat, self, argumentsIn(clock, args));
    },
  });
  return ours;
}

function argumentsIn({ zone }: Clock, args: unknown[]): unknown[] {
  return zone === null ? args : [args[0], withZone(args[1], zone)];
}

/** `format` is a getter that gives each formatter its own function, always the same one. */
function formatGetter({ get }: PropertyDescriptor): () => unknown {
  const boundOnes = new WeakMap<Format, Format>();
  return new Proxy(get as () => Format, {
    apply(native, self, args: []) {
      const format = Reflect.apply(native, self, args);
      if (clockHere() === null) return format;
      const bound = boundOnes.get(format) ?? ((date) => format(...dated([date])));
      boundOnes.set(format, bound);
      return bound;
    },
  });
}

/** What is formatted is now, where no date is given. */
function dated(args: readonly unknown[]): readonly unknown[] {
  const clock = args[0] === undefined ? clockHere() : null;
  return clock === null ? args : [clock.date()];
}
