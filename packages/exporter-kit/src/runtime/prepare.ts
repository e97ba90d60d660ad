import { slot } from '@stepfork/recorder/boundary';
import { installFetch } from '@stepfork/recorder/fetch';
import { givePlaceholderKeys } from './placeholder-keys.js';

/**
 * Puts in place what has to be there before the agent's modules load: the slot that every instrumented function
 * looks into, whichever copy of the recorder it came with; the `fetch` that answers from a recording, which an SDK's
 * client takes when it is made; and keys without which it cannot be made. What keeps a replayed agent from the
 * network is put up by the replay itself, for as long as it runs.
 */
export function prepareReplay(): void {
  slot();
  installFetch();
  givePlaceholderKeys();
}
