import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

type Protocol = 'http:' | 'https:';
type Function = (...args: never[]) => ClientRequest;

/** What makes requests, of whichever kind. */
export interface Requests {
  readonly 'http:': Function;
  readonly 'https:': Function;
}

/** Ways to make one request. */
export interface Make {
  /** As Node makes it. */
  readonly native: () => ClientRequest;
  /** @param args what it is given instead of what `request` was */
  readonly by: (requests: () => Requests, args: readonly unknown[]) => ClientRequest;
}

/** Decides how a request is made. */
export type Decide = (make: Make, args: readonly unknown[], protocol: Protocol) => ClientRequest;

/**
 * Has somebody decide about every request by `request` and `get` of `node:http` and `node:https`.
 *
 * @returns puts back what was there
 */
export function replaceRequests(decide: Decide): () => void {
  const undo = [replaceIn(http, 'http:', decide), replaceIn(https, 'https:', decide)];
  syncBuiltinESMExports();
  return () => {
    for (const put of undo) put();
    syncBuiltinESMExports();
  };
}

function replaceIn(module: typeof http | typeof https, protocol: Protocol, decide: Decide): () => void {
  const native = { request: module.request, get: module.get };
  const made = (self: unknown, args: readonly unknown[]): ClientRequest => {
    const call = (make: Function, by: readonly unknown[]): ClientRequest =>
      Reflect.apply(make, self, by) as ClientRequest;
    const make: Make = {
      native: () => call(native.request as Function, args),
      by: (requests, given) => call(requests()[protocol], given),
    };
    return decide(make, args, protocol);
  };
  module.request = new Proxy(native.request, { apply: (_native, self, args: unknown[]) => made(self, args) });
  module.get = new Proxy(native.get, {
    apply(_native, self, args: unknown[]) {
      const request = made(self, args);
      request.end();
      return request;
    },
  });
  return () => void Object.assign(module, native);
}
