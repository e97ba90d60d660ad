import type { ClientRequest } from 'node:http';
import { createRecordedFetch, isOfRun, type RecordedFetchOptions } from '@stepfork/recorder/fetch';
import type { Connection } from './connection.js';
import { give } from './give.js';
import { asksToGoOn, GO_ON } from './hints.js';
import { imitatedRequest } from './imitated-request.js';
import { LiveRequest } from './live-request.js';
import { onceSent } from './once-sent.js';
import { Outgoing } from './outgoing.js';
import { headBytes } from './wire.js';

/** A request that a replay answers, or lets through. */
export function replayedRequest(
  make: (args: readonly unknown[]) => ClientRequest,
  args: readonly unknown[],
  url: URL,
  options: RecordedFetchOptions,
): ClientRequest {
  const { request, connection, letThrough } = imitatedRequest(
    make,
    args,
    url.protocol === 'https:' ? 'https:' : 'http:',
  );
  // One that Node made over nothing of ours is what its program made it to be.
  if (connection === null) return request;
  const sent = onceSent(request, () => ask(connection));
  const outgoing = new Outgoing(request, sent.soon);
  // What it asks for is known once its body is there. Nobody need wait for a server to say so.
  connection.onceWritten(() => {
    if (asksToGoOn(request)) connection.push(headBytes(GO_ON, []));
  });
  const ask = (over: Connection): void => {
    const givenUp = new AbortController();
    over.onceGone(() => givenUp.abort());
    let live: LiveRequest | null = null;
    const recorded = createRecordedFetch((..._args: [URL, RequestInit]) => {
      live = new LiveRequest(request, sent);
      if (isOfRun()) live.letGo();
      else void pass(live);
      letThrough();
      return live.answer;
    }, options);
    const pass = async (made: LiveRequest): Promise<void> => {
      await null;
      await made.passOn(answer);
    };
    const answer = recorded(url, { ...outgoing.init, signal: givenUp.signal });
    void give(answer, request, over, () => live === null);
  };
  return request;
}
