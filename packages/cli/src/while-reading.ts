import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { displayLine } from './json-text.js';

/** What is smaller is read before anybody wonders. */
const LARGE = 2_000_000;
/** Work of less than this is over before anybody wonders. */
const PATIENCE_MS = 1000;
/** What of the line is no name: `reading : 100 s`. */
const AROUND = 16;

/**
 * Writes how long the work takes, every second of it. A thread of its own, since the work that it tells of lets no timer
 * of its own thread come to its turn. Cells of `state`: whether the work is done, and whether a line is being written.
 */
const TELL = `
const { writeSync } = require('node:fs');
const { workerData: { state, what, patience } } = require('node:worker_threads');
for (let seconds = 1; Atomics.wait(state, 0, 0, patience) === 'timed-out'; seconds++) {
  Atomics.store(state, 1, 1);
  if (Atomics.load(state, 0) === 0) writeSync(2, '\\r\\u001b[K' + what + ': ' + seconds + ' s');
  Atomics.store(state, 1, 0);
  Atomics.notify(state, 1);
}
`;

/**
 * Does work that reads bundles. On a terminal's stderr stands how long it takes where that is over a second, until it is
 * done.
 */
export async function whileReading<T>(bundles: readonly string[], work: () => T | Promise<T>): Promise<T> {
  const { stderr } = process;
  if (stderr.isTTY !== true || bundles.every((bundle) => sizeOf(bundle) < LARGE)) return work();
  const state = new Int32Array(new SharedArrayBuffer(8));
  const room = Math.max(8, (stderr.columns || 80) - AROUND);
  const what = `reading ${displayLine(bundles.join(' and '), room)}`;
  const worker = new Worker(TELL, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { state, what, patience: PATIENCE_MS },
  });
  worker.on('error', () => {});
  worker.unref();
  const began = Date.now();
  try {
    return await work();
  } finally {
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    // A line that is half written is waited for.
    while (Atomics.load(state, 1) === 1) Atomics.wait(state, 1, 1, PATIENCE_MS);
    if (Date.now() - began >= PATIENCE_MS) stderr.write('\r\u001b[K');
  }
}

/** In bytes, of a bundle's own files; 0 for what cannot be looked at. */
function sizeOf(bundle: string): number {
  try {
    const stats = lstatSync(bundle);
    if (!stats.isDirectory()) return stats.size;
    return readdirSync(bundle).reduce((sum, name) => sum + lstatSync(join(bundle, name)).size, 0);
  } catch {
    return 0;
  }
}
