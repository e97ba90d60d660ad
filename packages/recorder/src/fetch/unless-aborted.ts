import { onAbort } from './on-abort.js';

/** What `answer` comes to, or the reason why its signal is aborted before that: as `fetch` has it. */
export function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | null): Promise<T> {
  if (signal === null) return answer;
  return new Promise<T>((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    answer.then(resolve, reject).finally(leave);
  });
}
