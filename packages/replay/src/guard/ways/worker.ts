import events from 'node:events';
import workerThreads from 'node:worker_threads';
import { goOn, type Patches } from '../patches.js';
import { refusal } from '../refusal.js';
import { toProgram, type WayOut } from '../way-out.js';

/** The constructor was asked about already. */
let isAnswered = false;

export function patchWorker(patches: Patches): void {
  const prototype: object = workerThreads.Worker.prototype;
  patches.wrapClass(workerThreads, 'Worker', (make, args) => {
    const refused = refusal(() => startOf(args));
    if (refused !== null) throw refused;
    isAnswered = true;
    try {
      return make();
    } finally {
      isAnswered = false;
    }
  });
  // A class that was taken before us begins, as every emitter does, by this function.
  patches.wrap(events, 'init', (native, self, args) => {
    const isWorker = !isAnswered && Object.prototype.isPrototypeOf.call(prototype, self as object);
    const refused = isWorker ? refusal(() => toProgram('worker', 'start', 'a worker')) : null;
    if (refused !== null) throw refused;
    return goOn(native, self, args);
  });
}

function startOf([file, options]: readonly unknown[]): WayOut {
  const isCode = (options as { readonly eval?: boolean } | undefined)?.eval === true || /^data:/.test(String(file));
  return toProgram('worker', 'start worker', isCode ? '(code)' : String(file));
}
