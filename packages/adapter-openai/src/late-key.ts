import { slot } from '@stepfork/recorder/boundary';
import { createRecordedFetch, type FetchFunction } from '@stepfork/recorder/fetch';

type Key = () => Promise<string>;

/** The part of a client that this file changes. */
interface Client {
  fetch: FetchFunction;
  readonly _options?: { apiKey?: unknown };
}

/** Stands for the key that nobody was asked for. */
const NOBODYS = 'none-in-a-replay';
/** By the function that asks for a key only where one is needed: the one that it was made of. */
const late = new WeakMap<object, Key>();

/**
 * Has a key that a client asks somebody for (`apiKey` as a function, `azureADTokenProvider`) asked for only where a
 * request is really sent: nobody should have to sign in for answers from a recording.
 */
export function askForKeyLate(client: object, provider: string): void {
  const { _options: options, fetch } = client as Client;
  const key = options?.apiKey;
  if (options === undefined || typeof key !== 'function' || late.has(key)) return;
  const needed: Key = async () => (isReplaying() ? NOBODYS : (key as Key)());
  late.set(needed, key as Key);
  options.apiKey = needed;
  // Below the recorded one, where what is answered from a recording does not come.
  (client as Client).fetch = createRecordedFetch(withKey(fetch, key as Key), { provider });
}

function withKey(fetch: FetchFunction, key: Key): FetchFunction {
  return async (...args) => {
    const [input, init] = args as unknown as [unknown, RequestInit | undefined];
    const headers = new Headers(init?.headers);
    if (headers.get('authorization') !== `Bearer ${NOBODYS}`) return fetch(...args);
    headers.set('authorization', `Bearer ${await key()}`);
    return Reflect.apply(fetch, undefined, [input, { ...init, headers }]);
  };
}

function isReplaying(): boolean {
  const { frames, active } = slot();
  const handlers = [frames.getStore()?.handler ?? [...active]].flat();
  return handlers.some(({ mode }) => mode === 'replay');
}
