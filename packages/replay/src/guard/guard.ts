import type { BoundaryHandler, Frame } from '@stepfork/recorder/boundary';
import { StepforkError } from '@stepfork/trace-format';
import type { AllowList } from './allow-list.js';
import { patchNode } from './patch.js';
import { addWatch, removeWatch } from './watches.js';

/** An attempt to reach the world that was stopped. */
export interface BlockedAttempt {
  /** `connect 127.0.0.1:5432`, `spawn git`. */
  readonly what: string;
  /** Where it was made, `agent.ts:12:9`; null where no line of the agent's is known. */
  readonly callSite: string | null;
}

export interface GuardRules {
  readonly allow: AllowList;
  /** Whether what runs in this frame may reach the world: the body of a call that really runs. Without it, nothing. */
  readonly permits?: (frame: Frame) => boolean;
  /** Told of every attempt that is stopped, once. */
  readonly onBlocked: (attempt: BlockedAttempt) => void;
}

export interface Guard {
  /** Functions that this Node does not have or let us patch; empty on the supported ones. */
  readonly unwatched: readonly string[];
  /** Stops watching. Node is as it was once no run is watched any more. */
  readonly close: () => void;
}

/**
 * From here on, whatever is tried in the async context of the run to reach the network, to start a process or a
 * worker fails at once, in the way in which it fails natively; nothing is sent or started. Outside the run, and
 * once it is no longer active, nothing changes.
 */
export function openGuard(run: BoundaryHandler, { allow, permits = () => false, onBlocked }: GuardRules): Guard {
  const unwatched = addWatch(
    run,
    {
      stops: (way, frame) => !permits(frame) && !allow.allows(way),
      stop: ({ what }, callSite) => {
        onBlocked({ what, callSite });
        return blockedError(what, callSite);
      },
      requests: new Map(),
    },
    patchNode,
  );
  return { unwatched, close: () => removeWatch(run) };
}

function blockedError(what: string, callSite: string | null): StepforkError {
  const place = callSite === null ? '' : ` at ${callSite}`;
  const message = `the replay blocked '${what}'${place}; trace the tool or LLM call that does it, or list it in option allow`;
  return new StepforkError('blocked', message, { details: { what, callSite } });
}
