import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import type { HttpRequestEventMap } from '@mswjs/interceptors';
import { ClientRequestInterceptor } from '@mswjs/interceptors/ClientRequest';
import type { Requests } from './requests.js';

type Answer = (...args: HttpRequestEventMap['request']) => Promise<void>;

/**
 * What makes requests that go nowhere, and are answered by whoever is told of them. Made when the first of them is: a
 * program that is only recorded never meets it.
 */
export function interceptedRequests(answer: Answer): Intercepted {
  const native = taken();
  let made: Interception | null = null;
  return {
    requests() {
      made ??= intercept(native, answer);
      return made.requests;
    },
    dispose: () => made?.dispose(),
  };
}

/** Requests that are answered here. */
export interface Intercepted {
  readonly requests: () => Requests;
  /** None will be made any more. */
  readonly dispose: () => void;
}

interface Interception {
  readonly requests: Requests;
  readonly dispose: () => void;
}

/** What makes requests now. */
function taken(): readonly Pick<typeof http, 'request' | 'get'>[] {
  return [http, https].map(({ request, get }) => ({ request, get })) as Pick<typeof http, 'request' | 'get'>[];
}

function put(makers: ReturnType<typeof taken>): void {
  for (const [index, module] of [http, https].entries()) Object.assign(module, makers[index]);
}

/** @param native what the imitations are made of */
function intercept(native: ReturnType<typeof taken>, answer: Answer): Interception {
  const before = taken();
  const { ClientRequest } = http;
  put(native);
  const interceptor = new ClientRequestInterceptor();
  interceptor.on('request', answer);
  // A copy that is not read would be kept.
  interceptor.on('response', ({ response }) => void response.body?.pipeTo(new WritableStream()).catch(() => {}));
  interceptor.apply();
  const requests = { 'http:': http.request, 'https:': https.request } as unknown as Requests;
  // It is asked for requests, and is not to take any by itself.
  const untouched = (makers: ReturnType<typeof taken>): void => {
    put(makers);
    http.ClientRequest = ClientRequest;
    syncBuiltinESMExports();
  };
  untouched(before);
  return {
    requests,
    dispose() {
      const now = taken();
      interceptor.dispose();
      untouched(now);
    },
  };
}
