import { Worker } from 'node:worker_threads';

/** How long a process outlives the one that started it, at most. */
const EVERY_MS = 250;

/**
 * A thread of its own, since what runs here may never come to rest: an agent in an endless loop hears of nothing. A
 * process whose parent is gone is another's child, except on Windows.
 */
const WATCH = `
const { workerData: { parent, every } } = require('node:worker_threads');
const isThere = () => {
  try {
    process.kill(parent, 0);
    return process.ppid === parent;
  } catch (error) {
    return error.code === 'EPERM';
  }
};
setInterval(() => { if (!isThere()) process.kill(process.pid, 'SIGKILL'); }, every);
`;

/** Has this process killed when the one that started it is gone, which nobody would wait for any more. */
export function dieWithParent(parent: number): void {
  const worker = new Worker(WATCH, {
    eval: true,
    // Nothing that the user's processes are to load first.
    env: {},
    execArgv: [],
    workerData: { parent, every: EVERY_MS },
  });
  worker.on('error', () => {});
  worker.unref();
}
