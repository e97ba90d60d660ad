import type { ClientRequest } from 'node:http';
import { modeHere, type RecordedFetchOptions } from '@stepfork/recorder/fetch';
import { watchPassersBy } from './client/passers-by.js';
import { recordedRequest } from './client/recorded-request.js';
import { replayedRequest } from './client/replayed-request.js';
import { urlOf } from './client/request-url.js';
import { replaceRequests } from './client/requests.js';
import { hostOf } from './outside/hosts.js';

/** How requests are recorded, beside what holds of every `fetch`. */
export interface RecordedHttpOptions extends RecordedFetchOptions {
  /** Told of each request, by its host and port. */
  readonly onRequest?: (host: string) => void;
}

/**
 * Has requests by `node:http` and `node:https` recorded and replayed as those by `fetch` are. One that is recorded is
 * Node's own, made by its own agent, and listened to; only one that a replay answers is an imitation. Any other is not
 * touched. Where it is installed already, the options count that are given last. One warning for each host tells of requests
 * by functions that were taken before.
 *
 * @returns puts back what was there, unless something else has been put there since
 */
export function installHttp({ onRequest = () => {}, ...options }: RecordedHttpOptions = {}): () => void {
  const putBack = replaceRequests((make, args, protocol): ClientRequest => {
    const mode = modeHere();
    const url = mode === null ? null : urlOf(args, protocol);
    if (mode === null || url === null) return make.native();
    onRequest(hostOf(url.href));
    // Installed twice, it was decided about by the one that was installed last.
    if (make.isPart) return make.native();
    return mode === 'record'
      ? recordedRequest(make.native(), url, options)
      : replayedRequest(make.native, args, url, options);
  });
  const endWatch = watchPassersBy(options.http === true);
  return () => {
    endWatch();
    putBack();
  };
}
