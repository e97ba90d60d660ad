import { resolve } from 'node:path';
import { slot } from './boundary/slot.js';
import type { RecordingOptions } from './options.js';
import { defaultOutputPath } from './recording/output-path.js';
import { beginRun } from './run.js';

/** The run that a whole process is. */
export interface ProcessRun {
  /** Where its bundle is once it is over. */
  readonly path: string;
  /** Ends it as completed. Where nobody does, the end of the process ends it as failed. */
  readonly end: () => void;
}

/**
 * Records this process as one run: whatever it does that is not in a run already. Null where the recorder is switched
 * off or fails.
 *
 * @throws StepforkError as `record` rejects, before anything runs
 */
export function recordProcess(agentName: string, options: RecordingOptions): ProcessRun | null {
  const run = beginRun({ name: agentName, options }, null, 'throw', undefined);
  const { frame } = run;
  if (frame === null || frame.handler.unrecorded === true) return null;
  slot().base = frame;
  return {
    path: resolve(options.output ?? defaultOutputPath(agentName, run.listener.runId)),
    end() {
      slot().base = undefined;
      // A process has no value that it returns.
      run.completed(null);
    },
  };
}
