import { setImmediate } from '../clock.js';
import type { BoundaryCall, Frame } from './handler.js';
import { reach } from './reach.js';

/** What stays the same from one crossing of a boundary to the next. */
export type Boundary = Omit<BoundaryCall, 'input' | 'signals' | 'invoke'>;

/** What another call of it may be another in. */
export interface Crossing {
  readonly input: () => unknown;
  readonly signals: () => readonly AbortSignal[];
  readonly invoke: () => unknown;
}

/**
 * What crosses a boundary once, through the handler in force; null where there is none, and what lies behind is to be
 * called straight.
 */
export function crossing(boundary: Boundary, { input, signals, invoke }: Crossing): (() => unknown) | null {
  let frame: Frame | null;
  try {
    frame = reach(boundary);
  } catch (refusal) {
    // An async function never throws; it rejects. Not at once: whoever tries again for ever must let others run.
    if (boundary.answers === 'promise') return () => rejectLater(refusal);
    throw refusal;
  }
  if (frame === null) return null;
  const { handler } = frame;
  // Bound, and not a function around it: one frame less for each level of a recursion.
  return handler.dispatch.bind(handler, { ...boundary, input: input(), signals: signals(), invoke }, frame);
}

/** A call that nobody awaits any more (a timer that outlives its run) must not end the process by its refusal. */
function rejectLater(refusal: unknown): Promise<never> {
  const rejected = new Promise<never>((_, reject) => setImmediate(() => reject(refusal)));
  rejected.catch(() => {});
  return rejected;
}
