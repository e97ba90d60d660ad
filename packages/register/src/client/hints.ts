import type { ClientRequest, IncomingMessage } from 'node:http';
import { recordedHeaders } from '@stepfork/recorder/fetch';
import type { Hint } from './beside.js';
import { headersOf } from './headers.js';

/** Whether its body waits for a word of the server's. */
export function asksToGoOn(request: ClientRequest): boolean {
  return /^100-continue$/i.test(String(request.getHeader('expect')));
}

export const GO_ON: Hint = { status: 100, headers: {} };

export function hintOf(info: IncomingMessage): Hint {
  const { statusCode: status = 100, statusMessage } = info;
  return { status, ...(statusMessage ? { statusText: statusMessage } : {}), headers: recordedHeaders(headersOf(info)) };
}

/** What is still to be told of those that came before an answer: a request that waits for one is told it at once. */
export function hintsToTell(hints: readonly Hint[], request: ClientRequest): readonly Hint[] {
  const told = asksToGoOn(request) ? hints.findIndex(({ status }) => status === GO_ON.status) : -1;
  return hints.filter((_, at) => at !== told);
}
