import { slot } from '@stepfork/recorder/boundary';

/**
 * Puts in place what has to be there before the agent's modules load: the slot that every instrumented function
 * looks into, whichever copy of the recorder it came with.
 */
export function prepareReplay(): void {
  slot();
}
