import http, { type ClientRequest } from 'node:http';

/** What all copies of this package share, of all realms of a process. */
interface Shared {
  /** How many of them make a request now, one within the other. */
  depth: number;
  /** The requests that went through one of them. */
  readonly made: WeakSet<ClientRequest>;
}

const SHARED = Symbol.for('stepfork.http-requests/1');

function shared(): Shared {
  const { Agent } = http;
  const found = Reflect.get(Agent, SHARED) as Shared | undefined;
  if (found !== undefined) return found;
  const value: Shared = { depth: 0, made: new WeakSet() };
  Object.defineProperty(Agent, SHARED, { value });
  return value;
}

/** Makes a request. Whoever is asked for one meanwhile is asked for a part of it, so that it is recorded once. */
export function making(make: () => ClientRequest): ClientRequest {
  const state = shared();
  state.depth++;
  try {
    const request = make();
    state.made.add(request);
    return request;
  } finally {
    state.depth--;
  }
}

export function isMaking(): boolean {
  return shared().depth > 0;
}

/** Whether it was made where somebody could record it. */
export function isMade(request: ClientRequest): boolean {
  return shared().made.has(request);
}
