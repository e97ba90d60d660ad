import process from 'node:process';

/** A run that asked to be finished when a signal ends the process. */
export interface SignalledRun {
  readonly endWithSignal: (signal: NodeJS.Signals) => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Shared by all copies of this package, so that none takes the listener of another for the program's. */
const MARK = Symbol.for('stepfork.signal/1');
const open = new Set<SignalledRun>();

/**
 * From now on the run is told of a signal that asks the process to end; one listener serves all runs. It comes before
 * the program's own, because those of `once` are gone from the list as soon as they have been called.
 */
export function watchSignals(run: SignalledRun): void {
  if (open.size === 0) for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  open.add(run);
}

export function unwatchSignals(run: SignalledRun): void {
  if (!open.delete(run) || open.size > 0) return;
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

/**
 * A listener keeps a signal from ending the process. Where ours was the only one, it must end after all, and by the
 * signal, since that is what a supervisor and a shell look at; where the program listens too, that is its business.
 */
function onSignal(signal: NodeJS.Signals): void {
  const isOurs = !process.listeners(signal).some((listener) => !(MARK in listener));
  for (const run of [...open]) run.endWithSignal(signal);
  if (isOurs) process.kill(process.pid, signal);
}
Object.defineProperty(onSignal, MARK, { value: true });
