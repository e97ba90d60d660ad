export { type ClientKind, recordClient } from './fetch/client.js';
export { installFetch } from './fetch/install.js';
export { createRecordedFetch, type FetchFunction, type RecordedFetchOptions } from './fetch/recorded-fetch.js';
