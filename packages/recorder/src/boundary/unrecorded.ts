import { type BoundaryHandler, type Frame, HANDLER_VERSION, type InnerRun } from './handler.js';

/**
 * A run that is not recorded: sampled out, or its bundle could not be made. Its boundaries call straight through, and
 * its context keeps them from being taken for calls of another run.
 */
export class UnrecordedRun implements BoundaryHandler {
  readonly version = HANDLER_VERSION;
  readonly mode = 'record';
  readonly unrecorded = true;
  readonly frame: Frame = { handler: this, call: null, parent: null };
  readonly runId: string;
  active = true;

  constructor(runId: string) {
    this.runId = runId;
  }

  /** Only boundaries of a release that knows no such run come here. */
  dispatch({ invoke }: { readonly invoke: () => unknown }): unknown {
    return invoke();
  }

  innerRun(): InnerRun {
    return { runId: this.runId, settled: () => {} };
  }

  completed(): void {
    this.active = false;
  }

  threw(): void {
    this.active = false;
  }

  streams(): void {}
}
