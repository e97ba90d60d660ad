import process from 'node:process';
import { setImmediate } from '../clock.js';

/** A run that the end of the process would cut short. */
export interface OpenRun {
  /** Called in the process's `exit` event, where only synchronous work is done. */
  readonly endWithProcess: (exitCode: number, uncaught: { readonly error: unknown } | null) => void;
}

const open = new Set<OpenRun>();
let uncaught: { readonly error: unknown } | null = null;

/** From now on the run is told when the process ends; one listener serves all runs. */
export function watchProcessEnd(run: OpenRun): void {
  if (open.size === 0) {
    process.on('exit', onExit);
    process.on('uncaughtExceptionMonitor', onUncaught);
  }
  open.add(run);
}

export function unwatchProcessEnd(run: OpenRun): void {
  if (!open.delete(run) || open.size > 0) return;
  process.off('exit', onExit);
  process.off('uncaughtExceptionMonitor', onUncaught);
}

function onExit(exitCode: number): void {
  for (const run of [...open]) run.endWithProcess(exitCode, uncaught);
}

/** Only watches. Where the program has a handler and lives on, the exception says nothing of a later exit. */
function onUncaught(error: unknown): void {
  uncaught = { error };
  setImmediate(() => {
    uncaught = null;
  }).unref();
}
