import { createRecordedFetch, type FetchFunction } from '@stepfork/recorder/fetch';
import { isReplaying } from './replaying.js';

/** What of a client is changed, or tells how it proves who asks. */
interface Client {
  fetch: FetchFunction;
  readonly apiKey?: unknown;
  readonly authToken?: unknown;
  authHeaders?: (options: object) => Promise<unknown>;
  readonly backendMiddleware?: () => readonly unknown[];
  /** Of a client for Vertex. */
  _authClientPromise?: Promise<Account>;
}

interface Account {
  projectId?: string | undefined;
  readonly getRequestHeaders: () => Promise<unknown>;
}

/** Asks for the headers that prove who asks. */
type Prove = () => Promise<unknown>;

/** Stands for the proof that nobody was asked for. */
const NOBODYS = 'Bearer none-in-a-replay';

/**
 * Has the key or token that a client asks somebody for (a function, a profile, Google's library) asked for only where a
 * request is really sent: nobody should have to sign in for answers from a recording.
 */
export function askForKeyLate(client: object, provider: string): void {
  const asking = client as Client;
  const prove = asking._authClientPromise === undefined ? proofOfKey(asking) : proofOfAccount(asking);
  if (prove === null) return;
  // Below the recorded one, where what is answered from a recording does not come.
  asking.fetch = createRecordedFetch(withProof(asking.fetch, prove), { provider });
}

function proofOfAccount(client: Client): Prove {
  const account = client._authClientPromise as Promise<Account>;
  // Whoever asks is told; a replay without an account does not ask.
  account.catch(() => {});
  const prove: Prove = async () => (await account).getRequestHeaders();
  const late: Account = {
    async getRequestHeaders() {
      if (isReplaying()) return new Headers({ authorization: NOBODYS });
      late.projectId = (await account).projectId;
      return prove();
    },
  };
  client._authClientPromise = Promise.resolve(late);
  return prove;
}

/** Null for a client that has its key, and for one whose cloud signs what is sent. */
function proofOfKey(client: Client): Prove | null {
  const { apiKey, authToken, authHeaders, backendMiddleware } = client;
  const hasBackend = backendMiddleware !== undefined && Reflect.apply(backendMiddleware, client, []).length > 0;
  if (typeof authHeaders !== 'function' || (apiKey ?? authToken ?? null) !== null || hasBackend) return null;
  const value = async (options: object): Promise<unknown> =>
    isReplaying() ? { authorization: NOBODYS } : Reflect.apply(authHeaders, client, [options]);
  Object.defineProperty(client, 'authHeaders', { value, writable: true, configurable: true });
  return () => Reflect.apply(authHeaders, client, [{}]);
}

function withProof(fetch: FetchFunction, prove: Prove): FetchFunction {
  return async (...args) => {
    const [input, init] = args as unknown as [unknown, RequestInit | undefined];
    const headers = new Headers(init?.headers);
    if (headers.get('authorization') !== NOBODYS) return fetch(...args);
    headers.delete('authorization');
    for (const [name, value] of entriesOf(await prove())) headers.set(name, value);
    return Reflect.apply(fetch, undefined, [input, { ...init, headers }]);
  };
}

/** Of headers, of an object, or of what the SDK makes of either. */
function entriesOf(made: unknown): Iterable<readonly [string, string]> {
  if (typeof made !== 'object' || made === null) return [];
  const { values = made } = made as { readonly values?: unknown };
  return new Headers((typeof values === 'function' ? made : values) as Record<string, string>).entries();
}
