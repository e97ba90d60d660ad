import { syncBuiltinESMExports } from 'node:module';
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest';
import { createRecordedFetch, type RecordedFetchOptions } from '@stepfork/recorder/fetch';
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
    let send: () => void = () => {};
    const isSent = new Promise<null>((resolve) => {
      send = () => resolve(null);
    });
    const recorded = createRecordedFetch(
      (_request: Request) =>
        new Promise<Response>((resolve) => {
          waiting.set(requestId, resolve);
          send();
        }),
      options,
    );
    const answer = recorded(request.clone());
    const replayed = await Promise.race([isSent, answer]);
    if (replayed === null) void drain(answer);
    else controller.respondWith(replayed);
  });
  // Nothing is awaited here: whoever made the request would get its answer only afterwards.
  interceptor.on('response', ({ response, requestId }) => {
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

/** What is recorded is what is read, and a copy has no other reader. */
async function drain(answer: Promise<Response>): Promise<void> {
  try {
    await (await answer).body?.pipeTo(new WritableStream());
  } catch {
    // It broke off for the one who asked, too.
  }
}
