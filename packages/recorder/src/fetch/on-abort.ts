import { defaultMaxListeners, getMaxListeners, setMaxListeners } from 'node:events';

/** As `fetch` itself has it: one signal may be that of very many requests. */
const MOST_LISTENERS = 1500;

/**
 * Tells of an abort, once, and at once where it has come already.
 *
 * @returns ends that
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  try {
    if (getMaxListeners(signal) === defaultMaxListeners) setMaxListeners(MOST_LISTENERS, signal);
  } catch {
    // A signal of another make, which nobody warns of.
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
