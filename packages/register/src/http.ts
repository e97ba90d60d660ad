export { installHttp, type RecordedHttpOptions } from './http-client.js';
