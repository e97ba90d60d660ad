import type { ClientRequest } from 'node:http';
import type { RequestController } from '@mswjs/interceptors';
import { fromRecorded } from './broken-request.js';
import { isTimedOut } from './timed-out.js';

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
    if (isTimedOut(given.response) && timesOut(request)) return;
    controller.respondWith(withoutLength(given.response));
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

/** What stands for a secret in a stream has a length of its own, and whoever counts would wait for what is missing. */
function withoutLength(response: Response): Response {
  const { headers, body } = response;
  const isRead = /^(application\/(.+\+)?json|text\/(?!event-stream))/i.test(headers.get('content-type') ?? 'text/');
  if (body !== null && !isRead && headers.get('content-length') !== '0') headers.delete('content-length');
  return response;
}
