import { checkName } from './boundary/check.js';
import type { Frame } from './boundary/handler.js';
import { frameAround } from './boundary/here.js';
import { toRecordInput } from './boundary/run-input.js';
import { slot } from './boundary/slot.js';
import { checkOptions } from './check-options.js';
import type { RecordingOptions } from './options.js';
import { beginRun } from './run.js';
import { createSession, type Session } from './session.js';

/** How `startRecording` records. */
export interface StartOptions extends RecordingOptions {
  /** Recorded as the run's input. */
  readonly input?: unknown;
}

/** The session of a run that is ended by hand, or by leaving the block of `await using`. */
export interface StartedRecording extends Session {
  /** Ends the run as completed, with the output that was set. */
  readonly end: () => void;
  /** Ends the run as failed. Whoever catches the error throws it again, or not. */
  readonly fail: (thrown: unknown) => void;
  /**
   * Ends the run where it is not over: completed when an output was set, and failed when none was, because a block
   * that is left by an exception does not tell.
   */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Test environments with a `Symbol` of their own may lack it; compilers of `await using` look for this one then. */
const ASYNC_DISPOSE: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for('Symbol.asyncDispose') as typeof Symbol.asyncDispose);

/** What a block that was left is recorded as. */
const UNFINISHED = {
  name: 'Unfinished',
  message: 'the block that held the session was left before setOutput(), end() or fail()',
};

/**
 * Starts to record a run that cannot be a callback: everything that the caller goes on to do is part of it, until the
 * run is ended. Synchronous, because a context can be entered for the caller only from within its own call.
 *
 * ```ts
 * await using session = startRecording('agent');
 * ```
 *
 * @throws StepforkError before anything runs: as `record` rejects
 */
export function startRecording(agentName: string, options: StartOptions = {}): StartedRecording {
  checkName(agentName, 'startRecording');
  checkOptions(options, `startRecording('${agentName}')`);
  // The run is known as long as any timer of it lives; its input is not.
  const { input, ...recording } = options;
  const run = beginRun({ name: agentName, options: recording }, toRecordInput(input), 'throw', frameAround(agentName));
  const open = createSession(agentName, run.listener);
  const leave = run.frame === null ? () => {} : enter(run.frame, agentName);
  const finish = (tell: () => void): void => {
    leave();
    tell();
  };
  const complete = (): void => finish(() => run.completed(open.end(undefined)));
  const fail = (thrown: unknown): void =>
    finish(() => {
      open.end(undefined);
      run.threw(thrown);
    });
  return {
    ...open.session,
    end() {
      open.checkOpen('end');
      complete();
    },
    fail(thrown) {
      open.checkOpen('fail');
      fail(thrown);
    },
    async [ASYNC_DISPOSE]() {
      if (open.isOver()) return;
      if (open.hasOutput()) complete();
      else fail(UNFINISHED);
    },
  };
}

/** Enters the run's context in the caller's, and gives what leaves it again. */
function enter(frame: Frame, agentName: string): () => void {
  const { frames } = slot();
  const around = frames.getStore();
  const entered: Frame = { ...frame, entered: { agentName, around } };
  frames.enterWith(entered);
  return () => {
    // Ended from within another context, by a listener for instance, that one is left as it is.
    if (frames.getStore() === entered) frames.enterWith(around as Frame);
  };
}
