import type { ClientRequest } from 'node:http';
import type { RequestController } from '@mswjs/interceptors';
import { besideOf } from './beside.js';
import { fromRecorded } from './broken-request.js';
import { giveResponse } from './give-response.js';

/** What a recording answers a request with. */
export type Given = { readonly response: Response } | { readonly thrown: unknown };

export async function givenBy(answer: Promise<Response>): Promise<Given> {
  try {
    return { response: await answer };
  } catch (thrown) {
    return { thrown };
  }
}

/** Has a request that is not made come to what it came to in the recording. */
export function give(given: Given, request: ClientRequest, controller: RequestController): void {
  if ('response' in given) {
    const { response } = given;
    const isGivenUp = besideOf(response).timedOut === true ? timesOut(request) : request.destroyed;
    if (isGivenUp) void response.body?.cancel();
    else giveResponse(response, request, controller);
    return;
  }
  const { error, isTimedOut: isLate } = fromRecorded(given.thrown as Error);
  if (!isLate || !timesOut(request)) controller.errorWith(error);
}

/** Tells the one who waits that it takes long. True where that one gives up the request then, and needs no answer. */
function timesOut(request: ClientRequest): boolean {
  // By way of the connection, where a program may listen as well.
  (request.socket ?? request).emit('timeout');
  return request.destroyed;
}
