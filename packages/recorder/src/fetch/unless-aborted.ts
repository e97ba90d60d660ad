/** What `answer` comes to, or the reason why its signal is aborted before that: as `fetch` has it. */
export function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | null): Promise<T> {
  if (signal === null) return answer;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const settle = (settleWith: () => void): void => {
      signal.removeEventListener('abort', abort);
      settleWith();
    };
    answer.then(
      (value) => settle(() => resolve(value)),
      (thrown: unknown) => settle(() => reject(thrown)),
    );
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
