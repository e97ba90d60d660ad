import { slot } from '@stepfork/recorder/boundary';

/** Whether what is asked here is answered by a replay, or let through by one. */
export function isReplaying(): boolean {
  const { frames, active } = slot();
  const handlers = [frames.getStore()?.handler ?? [...active]].flat();
  return handlers.some(({ mode }) => mode === 'replay');
}
