import type { ClientRequest } from 'node:http';
import { createRecordedFetch, isOfRun, type RecordedFetchOptions } from '@stepfork/recorder/fetch';
import { LiveRequest } from './live-request.js';
import { onceSent } from './once-sent.js';
import { Outgoing } from './outgoing.js';

/** A request that is really made, as it is, and told of to the recording. */
export function recordedRequest(request: ClientRequest, url: URL, options: RecordedFetchOptions): ClientRequest {
  const sent = onceSent(request, () => {
    const recorded = createRecordedFetch((..._args: [URL, RequestInit]) => {
      // One that is recorded is no request of the run's from here on, but a part of a call of its.
      if (isOfRun()) live.letGo();
      return live.answer;
    }, options);
    void live.passOn(recorded(url, { ...outgoing.init, signal: live.givenUp }));
  });
  const outgoing = new Outgoing(request, sent.soon);
  const live = new LiveRequest(request, sent);
  return request;
}
