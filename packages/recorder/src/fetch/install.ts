import { createRecordedFetch, isRecorded, type RecordedFetchOptions } from './recorded-fetch.js';

/**
 * Has the requests that are made by `globalThis.fetch` recorded and replayed. A client that took `fetch` before keeps
 * the one that it took: install first, or instrument the client.
 *
 * @returns puts back what was there, unless something else has been put there since
 */
export function installFetch(options: RecordedFetchOptions = {}): () => void {
  const before = globalThis.fetch;
  if (isRecorded(before)) return () => {};
  const installed = createRecordedFetch(before, options);
  globalThis.fetch = installed;
  return () => {
    if (globalThis.fetch === installed) globalThis.fetch = before;
  };
}
