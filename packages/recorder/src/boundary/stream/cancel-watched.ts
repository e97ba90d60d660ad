import type { Cancellation, StreamObserver } from './observer.js';

/** Cancels a web stream. The observer is told first, and of when the source has let go. */
export function cancelWatched(
  watch: StreamObserver,
  how: Cancellation,
  cancelSource: () => Promise<void>,
): Promise<void> {
  let letGo: (cancelled: Promise<void> | undefined) => void = () => {};
  const cleaned = new Promise<void>((resolve) => {
    letGo = resolve as typeof letGo;
  });
  // Whether it failed is the canceller's business.
  cleaned.catch(() => {});
  watch.cancelled({ ...how, cleaned });
  let cancelled: Promise<void> | undefined;
  try {
    cancelled = cancelSource();
    return cancelled;
  } finally {
    letGo(cancelled);
  }
}
