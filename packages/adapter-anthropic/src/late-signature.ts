import { createRecordedFetch, type FetchFunction } from '@stepfork/recorder/fetch';
import { isReplaying } from './replaying.js';

/** What words a request as a cloud has it, and signs it. */
type Backend = (request: object, next: (request: Sent) => Promise<unknown>, context: object) => Promise<unknown>;

interface Sent extends RequestInit {
  readonly url: string;
}

/** What of a client for Bedrock is changed, or tells by what it signs. */
interface Client {
  fetch: FetchFunction;
  readonly apiKey?: unknown;
  readonly awsAccessKey?: unknown;
  readonly awsSecretKey?: unknown;
  skipAuth?: boolean;
  readonly backendMiddleware?: () => readonly Backend[];
}

/**
 * Has a client for Bedrock that looks for keys of AWS (in files, in the network) do so only where a request is really
 * sent. One that was given its keys asks nobody: it signs as it does.
 */
export function signLate(client: object, provider: string): void {
  const signing = client as Client;
  const { apiKey, awsAccessKey, awsSecretKey, skipAuth, backendMiddleware } = signing;
  if (typeof skipAuth !== 'boolean' || skipAuth || typeof backendMiddleware !== 'function') return;
  if ((apiKey ?? null) !== null || ((awsAccessKey ?? null) !== null && (awsSecretKey ?? null) !== null)) return;
  let isSent = false;
  Object.defineProperty(client, 'skipAuth', {
    get: () => isReplaying() && !isSent,
    enumerable: true,
    configurable: true,
  });
  const { fetch } = signing;
  const signed: FetchFunction = async (...args) => {
    const [input, init] = args as unknown as [unknown, RequestInit | undefined];
    const [backend] = Reflect.apply(backendMiddleware, client, []);
    if (backend === undefined || new Headers(init?.headers).has('authorization')) return fetch(...args);
    const send = ({ url, ...request }: Sent): Promise<unknown> => Reflect.apply(fetch, undefined, [url, request]);
    isSent = true;
    // Whether to sign it asks at once; no path is one to be worded otherwise.
    const sending = backend({ ...init, url: String(input), headers: new Headers(init?.headers) }, send, {
      options: {},
    });
    isSent = false;
    return sending;
  };
  signing.fetch = createRecordedFetch(signed, { provider });
}
