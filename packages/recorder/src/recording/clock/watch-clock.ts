import perfHooks from 'node:perf_hooks';
import type { ClockRead } from '@stepfork/trace-format/write';
import { frameHere } from '../../boundary/here.js';
import { createReplacements, ownerOf, type Undo } from '../../boundary/replacements.js';

/** A recording that keeps what its agent reads off the clock; of whatever copy of this package. */
interface KeepsReads {
  readonly clockRead?: ((read: ClockRead) => void) | null;
}

/** The watch of one realm, shared by all copies of this package in it. */
interface Watch {
  holders: number;
  readonly undos: readonly Undo[];
}

/** On `globalThis`, not on a core module: each realm of jest's has a Date of its own. */
const KEY = Symbol.for('stepfork.clock-reads/1');
const { replaceClass, replaceMethod } = createReplacements();

/**
 * Has Date and performance of this realm tell each read of theirs to the recording in whose run it is made. They
 * answer as before.
 *
 * @returns gives them back
 */
export function watchClock(): () => void {
  const home = globalThis as { [KEY]?: Watch };
  const watch = home[KEY] ?? { holders: 0, undos: patch() };
  Object.defineProperty(home, KEY, { value: watch, configurable: true });
  watch.holders++;
  return () => {
    if (--watch.holders > 0) return;
    for (const undo of watch.undos) undo();
    delete home[KEY];
  };
}

function patch(): readonly Undo[] {
  const performances = new Set([perfHooks.performance, globalThis.performance].map((each) => ownerOf(each, 'now')));
  return [
    replaceNow(Date, 'date'),
    ...replaceClass(globalThis, 'Date', dateTelling),
    ...[...performances].map((owner) => replaceNow(owner, 'performance')),
  ];
}

function replaceNow(owner: object, clock: ClockRead[0]): Undo {
  return replaceMethod<() => number>(owner, 'now', (native, self, args) =>
    told(clock, Reflect.apply(native, self, args)),
  );
}

function dateTelling(native: DateConstructor): DateConstructor {
  return new Proxy(native, {
    construct(target, args: unknown[], newTarget) {
      const date = Reflect.construct(target, args, newTarget) as Date;
      if (args.length === 0) told('date', Reflect.apply(target.prototype.getTime, date, []));
      return date;
    },
    apply(target) {
      // The text has no milliseconds, so the moment is read here: `now` tells of it.
      return new target(target.now()).toString();
    },
  });
}

/** Only what the agent itself reads. What the body of a call reads, it reads for an answer that is recorded. */
function told(clock: ClockRead[0], value: number): number {
  const frame = frameHere();
  if (frame !== undefined && frame.call === null && frame.handler.active) {
    (frame.handler as KeepsReads).clockRead?.([clock, value]);
  }
  return value;
}
