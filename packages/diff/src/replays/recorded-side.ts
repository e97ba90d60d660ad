import type { Trace } from '@stepfork/trace-format/write';
import type { Sides } from '../trace/steps.js';

/** One of the two runs. */
export type Side = keyof Sides;

/** The tag of a replay that was recorded: the run id of the recording. */
const TAG = 'replay_of';

/** Which of two runs the other one is a replay of, or null. */
export function recordedSide(a: Trace, b: Trace): Side | null {
  if (isReplayOf(b, a)) return 'a';
  return isReplayOf(a, b) ? 'b' : null;
}

export function otherSide(side: Side): Side {
  return side === 'a' ? 'b' : 'a';
}

function isReplayOf({ runtime }: Trace, { run_id }: Trace): boolean {
  const header = runtime.find((record) => record.type === 'runtime');
  return header !== undefined && Object.hasOwn(header.tags, TAG) && header.tags[TAG] === run_id;
}
