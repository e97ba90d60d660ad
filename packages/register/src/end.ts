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
  const onSignal = (signal: NodeJS.Signals): void => {
    tell();
    for (const each of SIGNALS) process.off(each, onSignal);
    const isListened = process.listeners(signal).some((listener) => !(MARK in listener));
    if (!isListened) process.kill(process.pid, signal);
  };
  Object.defineProperty(onSignal, MARK, { value: true });
  for (const each of SIGNALS) process.on(each, onSignal);
}
