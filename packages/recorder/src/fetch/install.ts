import { watchPassersBy } from './passed-by.js';
import { createRecordedFetch, isRecorded, type RecordedFetchOptions } from './recorded-fetch.js';

/**
 * Has the requests that are made by `globalThis.fetch` recorded and replayed. A client that took `fetch` before keeps
 * the one that it took: install first, or instrument the client. One warning for each host tells of its requests to
 * models. Where it is installed already, the options count that are given last.
 *
 * @returns puts back what was there, unless something else has been put there since
 */
export function installFetch(options: RecordedFetchOptions = {}): () => void {
  const before = globalThis.fetch;
  if (isRecorded(before) && Object.keys(options).length === 0) return () => {};
  const installed = createRecordedFetch(before, options);
  globalThis.fetch = installed;
  const endWatch = watchPassersBy();
  return () => {
    endWatch();
    if (globalThis.fetch === installed) globalThis.fetch = before;
  };
}
