import { type Frame, slot } from '@stepfork/recorder/boundary';
import { callSite, captureStack, type Stack } from '../session/call-site.js';
import { watchHere } from './watches.js';

/** Where the code of a frame was begun, for what loses its stack on the way. */
const begun = new WeakMap<Frame, Stack>();

/** Runs what reaches its way out only later, with nothing of the caller left on the stack. */
export function fromHere<T>(run: () => T): T {
  const here = watchHere();
  if (here === null) return run();
  const frame = { ...here.frame };
  begun.set(frame, captureStack());
  return slot().frames.run(frame, run);
}

/** The agent's own line rather than one of a package that it uses, where there is one. */
export function placeOf(stack: Stack, frame: Frame): string | null {
  const origin = begun.get(frame) ?? {};
  return ownLine(stack) ?? ownLine(origin) ?? callSite(stack) ?? callSite(origin);
}

function ownLine(stack: Stack): string | null {
  const lines = String(stack.stack).split('\n');
  return callSite({ stack: lines.filter((line) => !/[\\/]node_modules[\\/]/.test(line)).join('\n') });
}
