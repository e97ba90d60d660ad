import { type BoundaryHandler, type Frame, HANDLER_VERSION, slot } from '@stepfork/recorder/boundary';
import { onTestFinished } from 'vitest';
import { installClock } from '../../src/clock/install.js';
import { createRunClock, type Now, type RunClock } from '../../src/clock/run-clock.js';
import { RecordedTime } from '../../src/delivery/recorded-time.js';

/** A run with a clock, as far as the clock can see one. */
export interface TimedRun {
  readonly clock: RunClock | null;
  /** Something happens that the recording has at that time, in milliseconds since the run began. */
  readonly advanceTo: (time: number) => void;
  readonly inside: <T>(code: () => T) => T;
  /** In the body of a call that really runs. */
  readonly insideCall: <T>(code: () => T) => T;
  readonly end: () => void;
}

interface Recorded {
  readonly start: string;
  readonly timeZone?: string;
  readonly now?: Now;
  /** Recorded time of what has to happen next. */
  readonly next?: () => number;
}

/** Begins one; it ends with the test. */
export function timedRun({
  start,
  timeZone,
  now = 'recorded',
  next = () => Number.POSITIVE_INFINITY,
}: Recorded): TimedRun {
  const recorded = { startMs: Date.parse(start), timeZone: timeZone ?? null, timeOrigin: null };
  const time = new RecordedTime();
  const clock = createRunClock(now, recorded, { now: () => time.now(next()), read: () => null });
  const uninstall = clock === null ? () => {} : installClock();
  let active = true;
  const handler: BoundaryHandler & { readonly clock: RunClock | null } = {
    version: HANDLER_VERSION,
    mode: 'replay',
    get active() {
      return active;
    },
    clock,
    dispatch: () => undefined,
    innerRun: () => ({ runId: 'run_1', settled() {} }),
  };
  const frame: Frame = { handler, call: null, parent: null };
  const end = (): void => {
    active = false;
    uninstall();
  };
  onTestFinished(end);
  return {
    clock,
    advanceTo: (to) => time.reached(to),
    inside: (code) => slot().frames.run(frame, code),
    insideCall: (code) => slot().frames.run({ handler, call: 0, parent: frame }, code),
    end,
  };
}
