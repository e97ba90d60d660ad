import { goOn, type Patches } from '../patches.js';
import { fromHere } from '../place.js';

/**
 * Each of these makes its request only later, when nothing of the caller is left on the stack. They are not stopped
 * here: a wrapper around them may answer from a recording, and what comes to a request is stopped there.
 */
export function patchGlobals(patches: Patches): void {
  patches.wrap(globalThis, 'fetch', (native, self, args) => fromHere(() => goOn(native, self, args)));
  for (const name of ['WebSocket', 'EventSource']) {
    if (name in globalThis) patches.wrapClass(globalThis, name, (make) => fromHere(make));
  }
}
