import diagnosticsChannel from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { warnOfPasserBy } from '@stepfork/recorder/fetch';
import { isMade } from './making.js';

/** Node tells of every request, whoever has kept the function that made it. */
const CHANNEL = 'http.client.request.start';

const WHY = "by a function of node:http that was taken before installHttp(), or by 'new ClientRequest()'";
const ADVICE = 'call installHttp() before whatever takes http.request is loaded';

/**
 * Warns, once for each host, of a request that a recorded run makes where nobody sees it.
 *
 * @param isAny whether also what goes to no model is recorded
 * @returns ends it
 */
export function watchPassersBy(isAny: boolean): () => void {
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    const url = isMade(request) ? null : urlOf(request);
    if (url !== null) warnOfPasserBy({ url, method: request.method }, isAny, WHY, ADVICE);
  };
  diagnosticsChannel.subscribe(CHANNEL, onRequest);
  return () => void diagnosticsChannel.unsubscribe(CHANNEL, onRequest);
}

/** Null for what is none to an address, as a tunnel is. */
function urlOf(request: ClientRequest): URL | null {
  const text = `${request.protocol}//${String(request.getHeader('host') ?? request.host)}${request.path}`;
  return request.path.startsWith('/') && URL.canParse(text) ? new URL(text) : null;
}
