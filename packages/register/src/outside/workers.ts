import { basename } from 'node:path';
import workerThreads from 'node:worker_threads';
import type { Reach } from './watch.js';

/** Threads, of which each is a program of its own. */
export function watchWorkers(reach: Reach): void {
  workerThreads.Worker = new Proxy(workerThreads.Worker, {
    construct(target, args: ConstructorParameters<typeof workerThreads.Worker>, newTarget) {
      reach('start', `worker ${nameOf(args[0], args[1]?.eval === true)}`);
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
}

/** Code that is given as text has no name. */
function nameOf(file: string | URL, isCode: boolean): string {
  const path = typeof file === 'string' ? file : file.pathname;
  return isCode || path.startsWith('data:') ? 'of its own code' : basename(path);
}
