export { type ClientKind, recordClient } from './fetch/client.js';
export { fetching, isOfRun, modeHere } from './fetch/inside.js';
export { installFetch } from './fetch/install.js';
export { type PasserBy, warnOfPasserBy } from './fetch/passed-by.js';
export { createRecordedFetch, type FetchFunction, type RecordedFetchOptions } from './fetch/recorded-fetch.js';
export { anyResponse } from './fetch/response/any-response.js';
export { recordedHeaders } from './fetch/response/headers.js';
export { refusalOf } from './fetch/response/refusal.js';
export { type SdkTool, traceSdkTool } from './fetch/sdk-tool.js';
