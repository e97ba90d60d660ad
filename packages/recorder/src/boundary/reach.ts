import { StepforkError } from '@stepfork/trace-format/write';
import { describe, type Named } from './describe.js';
import { type BoundaryHandler, type Frame, HANDLER_VERSION } from './handler.js';
import { frameHere } from './here.js';
import { slot } from './slot.js';
import { warnOnce } from './warning.js';

/**
 * The frame in which a boundary was reached, or null where it is to call straight through.
 *
 * A recorder must never stop an agent, so whatever is wrong with a recording ends in a warning. A replay must
 * never let a real body run by accident, so whatever is wrong with a replay is refused.
 *
 * @param what the boundary, for the message.
 * @throws StepforkError `context_lost`, `replay_ended` or `boundary_version`.
 */
export function reach(what: Named): Frame | null {
  const { active } = slot();
  const frame = frameHere();
  if (frame?.handler.unrecorded === true) return null;
  if (frame !== undefined) return inForce(frame, what) ? frame : null;
  if (active.size === 0) return null;
  return adopt(active, what);
}

/** Whether the frame's handler takes the call; throws where a replay cannot and nothing may run. */
function inForce(frame: Frame, what: Named): boolean {
  const refusal = refusalOf(frame.handler, what);
  if (refusal === null) return true;
  if (frame.handler.mode !== 'record') throw refusal;
  warnOnce(refusal.code, describe(what), refusal.message);
  return false;
}

/** Why a handler cannot take `what`; null where it can. */
export function refusalOf(handler: BoundaryHandler, what: Named): StepforkError | null {
  if (handler.version !== HANDLER_VERSION) return otherVersion(handler, what);
  return handler.active ? null : ended(handler, what);
}

/** Reached with no context at all: it belongs to the one run that is going on, if there is only one. */
function adopt(active: ReadonlySet<BoundaryHandler>, what: Named): Frame | null {
  const [only] = active;
  if (only !== undefined && active.size === 1) {
    const frame: Frame = { handler: only, call: null, parent: null, adopted: true };
    return inForce(frame, what) ? frame : null;
  }
  const advice = 'bind the callback that calls it with AsyncResource.bind() where the run hands it over';
  const where = `${describe(what)} was reached outside any run's async context while ${active.size} runs are active`;
  if ([...active].some((handler) => handler.mode !== 'record')) {
    throw new StepforkError('context_lost', `${where}, so it was not run; ${advice}`, {
      details: { active: active.size },
    });
  }
  warnOnce('context_lost', describe(what), `${where}, so it was not recorded; ${advice}`);
  return null;
}

function ended(handler: BoundaryHandler, what: Named): StepforkError {
  return handler.mode === 'record'
    ? new StepforkError(
        'run_ended',
        `${describe(what)} was called after its recorded run had ended, so it was not recorded; await it inside the run`,
      )
    : new StepforkError(
        'replay_ended',
        `${describe(what)} was called after its replay had ended, so it was not run; await it inside the agent`,
      );
}

function otherVersion(handler: BoundaryHandler, what: Named): StepforkError {
  const message =
    `${describe(what)} and the ${handler.mode === 'record' ? 'recording' : 'replay'} around it come from different versions ` +
    'of Stepfork; install one version of all @stepfork packages';
  return new StepforkError('boundary_version', message, {
    details: { boundary: HANDLER_VERSION, handler: handler.version },
  });
}
