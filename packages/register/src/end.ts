import process from 'node:process';
import type { ProcessRun } from '@stepfork/recorder/boundary';
import type { Outside } from './outside/watch.js';
import { reportOf } from './report.js';
import { say } from './say.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** By which the recorder knows what listens on its behalf, and is not the program's own. */
const MARK = Symbol.for('stepfork.signal/1');

/** Has the run end with the process, and says then what the recording does not hold. */
export function endWithProcess(run: ProcessRun, agent: string, outside: Outside): void {
  let isTold = false;
  const tell = (): void => {
    if (isTold) return;
    isTold = true;
    for (const line of reportOf(run.path, agent, outside.reached())) say(line);
  };
  // The recorder's own listener, which comes between these two, takes a run that is still open for one that failed.
  process.prependListener('exit', (code) => {
    if (code === 0) run.end();
  });
  process.on('exit', tell);
  for (const signal of SIGNALS) endWithSignal(signal, tell);
}

/**
 * A signal ends the run where it ends the process. A program that listens, too, ends itself, or does not: how, says
 * what became of the run. The recorder's own listeners would take every signal for the end.
 */
function endWithSignal(signal: NodeJS.Signals, tell: () => void): void {
  const recorders = process.listeners(signal).filter((listener) => MARK in listener);
  for (const recorder of recorders) process.off(signal, recorder);
  const onSignal = (): void => {
    if (process.listeners(signal).some((listener) => !(MARK in listener))) return;
    for (const recorder of recorders) recorder(signal);
    tell();
    // Only now: with the last of the listeners gone, a signal ends the process where it stands.
    process.off(signal, onSignal);
    process.kill(process.pid, signal);
  };
  Object.defineProperty(onSignal, MARK, { value: true });
  // Before the program's own: those of `once` are gone from the list as soon as they have been called.
  process.prependListener(signal, onSignal);
}
