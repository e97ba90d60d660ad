import type { ClientRequest, IncomingMessage } from 'node:http';
import { recordedHeaders } from '@stepfork/recorder/fetch';
import type { Hint } from './beside.js';
import { headersOf, messageHeaders } from './headers.js';

/** Whether its body waits for a word of the server's. */
export function asksToGoOn(request: ClientRequest): boolean {
  return /^100-continue$/i.test(String(request.getHeader('expect')));
}

export function hintOf(info: IncomingMessage): Hint {
  const { statusCode: status = 100, statusMessage } = info;
  return { status, ...(statusMessage ? { statusText: statusMessage } : {}), headers: recordedHeaders(headersOf(info)) };
}

/** Tells what came before an answer. */
export function giveHint({ status, statusText = '', headers }: Hint, request: ClientRequest): void {
  if (status === 100 && !asksToGoOn(request)) request.emit('continue');
  request.emit('information', {
    ...{ statusCode: status, statusMessage: statusText, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 },
    ...messageHeaders(Object.entries(headers)),
  });
}
