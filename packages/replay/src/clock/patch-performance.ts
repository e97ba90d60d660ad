import perfHooks from 'node:perf_hooks';
import { ownerOf } from '@stepfork/recorder/boundary';
import { clockHere } from './here.js';
import { replaceMethod, replaceProperty, type Undo } from './property.js';

/**
 * Lets `performance.now()` and `performance.timeOrigin` go by the clock of the run. Node's own object and the global
 * one are the same, but for fake timers and jsdom.
 */
export function patchPerformance(): readonly Undo[] {
  const objects = new Set<object>([perfHooks.performance, globalThis.performance]);
  const owners = (key: string): readonly object[] => [...new Set([...objects].map((object) => ownerOf(object, key)))];
  return [
    ...owners('now').map((owner) =>
      replaceMethod<() => number>(owner, 'now', (native, self, args) => {
        const clock = clockHere();
        return clock === null ? Reflect.apply(native, self, args) : clock.performance();
      }),
    ),
    ...owners('timeOrigin').map((owner) =>
      replaceProperty(owner, 'timeOrigin', ({ get, value, enumerable = false }) => ({
        configurable: true,
        enumerable,
        get(this: unknown): unknown {
          return clockHere()?.timeOrigin ?? (get === undefined ? value : Reflect.apply(get, this, []));
        },
      })),
    ),
  ];
}
