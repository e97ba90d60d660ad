import { AsyncResource } from 'node:async_hooks';
import type { ClientRequest } from 'node:http';
import { getRawRequest, RequestController } from '@mswjs/interceptors';
import { createRecordedFetch, isOfRun, modeHere, type RecordedFetchOptions } from '@stepfork/recorder/fetch';
import { give, givenBy } from './client/give.js';
import { asksToGoOn } from './client/hints.js';
import { interceptedRequests } from './client/intercepted.js';
import { LiveRequest } from './client/live-request.js';
import { Outgoing } from './client/outgoing.js';
import { watchPassersBy } from './client/passers-by.js';
import { urlOf, withOwnPath } from './client/request-url.js';
import { replaceRequests } from './client/requests.js';
import { tapEmits } from './client/tap-emits.js';
import { hostOf } from './outside/hosts.js';

/** How requests are recorded, beside what holds of every `fetch`. */
export interface RecordedHttpOptions extends RecordedFetchOptions {
  /** Told of each request, by its host and port. */
  readonly onRequest?: (host: string) => void;
}

/** A request that is on its way to an answer that was recorded. */
interface Asked {
  readonly url: URL;
  readonly outgoing: Outgoing;
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
  const asked = new WeakMap<ClientRequest, Asked>();
  const intercepted = interceptedRequests(async ({ request, controller }) => {
    const raw = getRawRequest(request) as ClientRequest;
    const known = asked.get(raw);
    if (known === undefined) return;
    // What it asks for is known once its body is there. Nobody need wait for a server to say so.
    if (asksToGoOn(raw)) {
      // Not from within the parser of its head.
      await null;
      raw.emit('continue');
    }
    // The imitation takes no more of a body than somebody reads.
    void request
      .clone()
      .arrayBuffer()
      .catch(() => {});
    await known.outgoing.whole;
    // Made in a replay that lets it through, it is no answer of the recording's.
    let isSent: (sent: null) => void = () => {};
    const sent = new Promise<null>((resolve) => {
      isSent = resolve;
    });
    const recorded = createRecordedFetch((..._args: [URL, RequestInit]) => {
      isSent(null);
      return new Promise<Response>(() => {});
    }, options);
    const came = await Promise.race([sent, givenBy(recorded(known.url, known.outgoing.init))]);
    // One that the program has given up by now is over, and says so itself.
    if (came !== null && controller.readyState === RequestController.PENDING) give(came, raw, controller);
  });

  const putBack = replaceRequests((make, args, protocol) => {
    const mode = modeHere();
    const url = mode === null ? null : urlOf(args, protocol);
    if (mode === null || url === null) return make.native();
    onRequest(hostOf(url.href));
    // Installed twice, it was decided about by the one that was installed last.
    if (make.isPart) return make.native();
    if (mode === 'record') return recordedRequest(make.native(), url, options);
    const request = make.by(intercepted.requests, withOwnPath(args, url));
    failOnce(request);
    asked.set(request, { url, outgoing: new Outgoing(request, true) });
    return request;
  });
  const endWatch = watchPassersBy(options.http === true);
  return () => {
    endWatch();
    putBack();
    intercepted.dispose();
  };
}

/** An imitation may tell of an error twice, where Node does so once. */
function failOnce(request: ClientRequest): void {
  let hasFailed = false;
  tapEmits(request, (event, _args, tell) => {
    if (event !== 'error') return tell();
    if (hasFailed) return true;
    hasFailed = true;
    return tell();
  });
}

/** A request that is really made, as it is, and told of to the recording. */
function recordedRequest(request: ClientRequest, url: URL, options: RecordedFetchOptions): ClientRequest {
  let isBegun = false;
  const begin = AsyncResource.bind((): void => {
    if (isBegun) return;
    isBegun = true;
    const recorded = createRecordedFetch((..._args: [URL, RequestInit]) => {
      // One that is recorded is no request of the run's from here on, but a part of a call of its.
      if (isOfRun()) live.letGo();
      return live.answer;
    }, options);
    void live.passOn(recorded(url, outgoing.init));
  });
  const outgoing = new Outgoing(request, false, begin);
  const live = new LiveRequest(request, begin);
  return request;
}
