import type { ClientRequest, IncomingMessage } from 'node:http';
import { emitsOf } from './emits.js';

/** What a request tells whoever made it, beside its answer. */
export interface RequestWatch {
  /** Whether the one who made it was told that it takes long. */
  readonly isTimedOut: () => boolean;
  /** Told once, of the error that ends the request before its answer is all there. */
  readonly onBroken: (listener: (error: Error) => void) => void;
  /** What came of the request is recorded: from now on the one who made it is told all. */
  readonly recorded: () => void;
}

/** Of an answer up to this, all comes that there is, also while nobody reads it. */
const UNREAD_BYTES = 16 * 1024;

/**
 * Watches what a request and its answer emit, and not by listeners, which a program may take away with its own. That
 * they are over, or failed, is told only once it is recorded, so that whatever a program does next comes after it.
 */
export function watchRequest(request: ClientRequest): RequestWatch {
  let isTimedOut = false;
  let isGivenUp = false;
  let broken: Error | null = null;
  const listeners: ((error: Error) => void)[] = [];
  const emits = emitsOf();
  const fail = (error: Error): void => {
    if (broken !== null) return;
    broken = error;
    emits.hold();
    for (const listener of listeners) listener(error);
  };
  const { destroy } = request;
  request.destroy = (error) => {
    isGivenUp = true;
    return Reflect.apply(destroy, request, [error]) as ClientRequest;
  };
  emits.tap(request, (event, first) => {
    if (event === 'timeout') isTimedOut = true;
    else if (event === 'error') fail(first as Error);
    else if (event === 'response') tapResponse(first as IncomingMessage);
  });
  const tapResponse = (response: IncomingMessage): void => {
    if (comesUnread(response, request.method)) emits.hold();
    emits.tap(response, (event) => {
      if (event === 'end') emits.hold();
      // An answer that its reader gives up has not failed: it has not been read to its end.
      if (event === 'aborted' && !isGivenUp && response.errored) fail(response.errored);
    });
  };
  return {
    isTimedOut: () => isTimedOut,
    onBroken(listener) {
      if (broken === null) listeners.push(listener);
      else listener(broken);
    },
    recorded: () => emits.release(),
  };
}

function comesUnread({ statusCode, headers }: IncomingMessage, method: string): boolean {
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return true;
  return Number(headers['content-length'] ?? Number.NaN) < UNREAD_BYTES;
}
