import type { ClientRequest } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { getRawRequest } from '@mswjs/interceptors';
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest';
import { createRecordedFetch, isOfRun, type RecordedFetchOptions } from '@stepfork/recorder/fetch';
import { give, givenBy } from './client/give.js';
import { asksToGoOn } from './client/hints.js';
import { LiveRequest } from './client/live-request.js';
import { hostOf } from './outside/hosts.js';

/** How requests are recorded, beside what holds of every `fetch`. */
export interface RecordedHttpOptions extends RecordedFetchOptions {
  /** Told of each request, by its host and port. */
  readonly onRequest?: (host: string) => void;
}

/** A request that is really made; null for one that is not recorded. */
interface Sent {
  readonly live: LiveRequest | null;
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
  interceptor.on('request', async ({ request, controller }) => {
    onRequest(hostOf(request.url));
    if (!isOfRun()) return;
    const outgoing = getRawRequest(request) as ClientRequest;
    // What it asks for is known once its body is there. Nobody need wait for a server to say so.
    if (asksToGoOn(outgoing)) {
      // Not from within the parser of its head.
      await null;
      outgoing.emit('continue');
    }
    let send: (live: LiveRequest | null) => void = () => {};
    const sent = new Promise<Sent>((resolve) => {
      send = (live) => resolve({ live });
    });
    const recorded = createRecordedFetch((_request: Request) => {
      // One that is recorded is no request of the run's from here on, but a part of a call of its.
      const live = isOfRun() ? null : new LiveRequest(outgoing);
      send(live);
      return live?.answer ?? new Promise<Response>(() => {});
    }, options);
    const answer = recorded(request.clone());
    const came = await Promise.race([sent, givenBy(answer)]);
    if ('live' in came) void came.live?.passOn(answer);
    else give(came, outgoing, controller);
  });
  // A copy that is not read would be kept.
  interceptor.on('response', ({ response }) => void response.body?.pipeTo(new WritableStream()).catch(() => {}));
  interceptor.apply();
  syncBuiltinESMExports();
  return () => {
    interceptor.dispose();
    syncBuiltinESMExports();
  };
}
