import type { ClientRequest } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { getRawRequest } from '@mswjs/interceptors';
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest';
import { createRecordedFetch, type RecordedFetchOptions } from '@stepfork/recorder/fetch';
import { toRecorded } from './client/broken-request.js';
import { give, givenBy } from './client/give.js';
import { watchRequest } from './client/request-watch.js';
import { copyOf } from './client/response-copy.js';
import { hostOf } from './outside/hosts.js';

/** How requests are recorded, beside what holds of every `fetch`. */
export interface RecordedHttpOptions extends RecordedFetchOptions {
  /** Told of each request, by its host and port. */
  readonly onRequest?: (host: string) => void;
}

/**
 * Has requests by `node:http` and `node:https` recorded and replayed as those by `fetch` are: as that same request with
 * that same answer, a copy of which the interceptor gives. A request that is really made goes its own way, over its own
 * agent.
 *
 * @returns puts back what was there
 */
export function installHttp({ onRequest = () => {}, ...options }: RecordedHttpOptions = {}): () => void {
  const interceptor = new ClientRequestInterceptor();
  /** Of requests that are on their way: takes the answer. */
  const waiting = new Map<string, (response: Response) => void>();
  interceptor.on('request', async ({ request, requestId, controller }) => {
    // Its body comes only after an answer.
    if (request.headers.has('expect')) return;
    onRequest(hostOf(request.url));
    const outgoing = getRawRequest(request) as ClientRequest;
    let send: () => void = () => {};
    const isSent = new Promise<null>((resolve) => {
      send = () => resolve(null);
    });
    let release: () => void = () => {};
    const recorded = createRecordedFetch((_request: Request) => {
      const watch = watchRequest(outgoing);
      release = watch.recorded;
      return new Promise<Response>((resolve, reject) => {
        waiting.set(requestId, (response) => resolve(copyOf(response, request.method, watch)));
        watch.onBroken((error) => {
          waiting.delete(requestId);
          reject(toRecorded(error, watch.isTimedOut()));
        });
        send();
      });
    }, options);
    const answer = recorded(request.clone());
    const given = await Promise.race([isSent, givenBy(answer)]);
    if (given === null) void drain(answer).finally(release);
    else give(given, outgoing, controller);
  });
  // Nothing is awaited here: whoever made the request would get its answer only afterwards.
  interceptor.on('response', ({ response, requestId }) => {
    if (isHint(response)) return;
    const take = waiting.get(requestId);
    waiting.delete(requestId);
    take?.(response);
  });
  interceptor.apply();
  syncBuiltinESMExports();
  return () => {
    interceptor.dispose();
    syncBuiltinESMExports();
  };
}

/** What comes before an answer. */
function isHint({ status }: Response): boolean {
  return status < 200 && status !== 101;
}

/** What is recorded is what is read, and a copy has no other reader. */
async function drain(answer: Promise<Response>): Promise<void> {
  try {
    await (await answer).body?.pipeTo(new WritableStream());
  } catch {
    // It broke off for the one who asked, too.
  }
}
