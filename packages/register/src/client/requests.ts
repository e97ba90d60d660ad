import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { isMaking, making } from './making.js';
import type { Protocol } from './request-url.js';

type Function = (...args: never[]) => ClientRequest;

/** Ways to make one request. */
export interface Make {
  /** It is a part of a request that somebody else has decided about. */
  readonly isPart: boolean;
  /**
   * As Node makes it.
   *
   * @param args what it is given instead of what `request` was
   */
  readonly native: (args?: readonly unknown[]) => ClientRequest;
}

/** Decides how a request is made. */
export type Decide = (make: Make, args: readonly unknown[], protocol: Protocol) => ClientRequest;

/**
 * Has somebody decide about every request by `request` and `get` of `node:http` and `node:https`.
 *
 * @returns puts back what was there
 */
export function replaceRequests(decide: Decide): () => void {
  let isOver = false;
  const decideYet: Decide = (make, ...of) => (isOver ? make.native() : decide(make, ...of));
  const undo = [replaceIn(http, 'http:', decideYet), replaceIn(https, 'https:', decideYet)];
  syncBuiltinESMExports();
  return () => {
    isOver = true;
    for (const put of undo) put();
    syncBuiltinESMExports();
  };
}

function replaceIn(module: typeof http | typeof https, protocol: Protocol, decide: Decide): () => void {
  const before = { request: module.request, get: module.get };
  const made = (self: unknown, args: readonly unknown[]): ClientRequest => {
    const make: Make = {
      isPart: isMaking(),
      native: (given = args) => making(() => Reflect.apply(before.request as Function, self, given) as ClientRequest),
    };
    return decide(make, args, protocol);
  };
  const installed = {
    request: new Proxy(before.request, { apply: (_before, self, args: unknown[]) => made(self, args) }),
    get: new Proxy(before.get, {
      apply(_before, self, args: unknown[]) {
        const request = made(self, args);
        request.end();
        return request;
      },
    }),
  };
  Object.assign(module, installed);
  return () => {
    // What somebody else has put there since stays, and may still come here.
    for (const name of ['request', 'get'] as const) {
      if (module[name] === installed[name]) Object.assign(module, { [name]: before[name] });
    }
  };
}
