import { StepforkError } from '@stepfork/trace-format/write';
import { createRecordedFetch, type FetchFunction } from './recorded-fetch.js';

/** A client of an SDK that makes its requests by a `fetch` of its own, and copies of itself. */
interface FetchingClient {
  fetch: FetchFunction;
  withOptions: (...args: never[]) => object;
}

/** Which SDK a client is of. */
export interface ClientKind {
  /** For messages: the package's name. */
  readonly sdk: string;
  /** Of its requests to hosts that are not known. */
  readonly provider: string;
  /** What else a client of it has, by which it is told. */
  readonly has: readonly string[];
  /** What else is to be changed in a client: once, and in each of its copies. */
  readonly also: (client: object) => void;
}

/**
 * Has every request of a client recorded and replayed, in place: the client stays the object that it is. To do so again
 * changes nothing. Its copies by `withOptions` are recorded, too.
 *
 * @throws StepforkError `invalid_argument` for what is no such client
 */
export function recordClient<C extends object>(client: C, kind: ClientKind): C {
  // Shared by all copies of this package.
  const mark = Symbol.for(`stepfork.${kind.sdk}/1`);
  if (Object.hasOwn(client, mark)) return client;
  const fetching = checkClient(client, kind);
  fetching.fetch = createRecordedFetch(fetching.fetch, { provider: kind.provider });
  kind.also(client);
  const { withOptions } = fetching;
  const value = (...args: never[]): object => recordClient(Reflect.apply(withOptions, client, args) as object, kind);
  Object.defineProperty(client, 'withOptions', { value, writable: true, configurable: true });
  Object.defineProperty(client, mark, { value: true });
  return client;
}

function checkClient(client: object, { sdk, has }: ClientKind): FetchingClient {
  const missing = ['fetch', ...has, 'withOptions'].filter((name) => Reflect.get(client, name) === undefined);
  if (isFetching(client) && missing.length === 0) return client;
  const advice = `give it an instance of a class of '${sdk}', of a release that its peer range names`;
  throw new StepforkError(
    'invalid_argument',
    `the ${sdk} adapter needs a client that has ${missing.join(', ')}; ${advice}`,
  );
}

function isFetching(client: object): client is FetchingClient {
  return ['fetch', 'withOptions'].every((name) => typeof Reflect.get(client, name) === 'function');
}
