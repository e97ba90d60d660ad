import { StepforkError } from '@stepfork/trace-format/write';
import { createRecordedFetch, type FetchFunction } from './recorded-fetch.js';

/** A client of an SDK that makes its requests by a `fetch` of its own. */
interface FetchingClient {
  fetch: FetchFunction;
}

/** Which SDK a client is of. */
export interface ClientKind {
  /** For messages: the package's name. */
  readonly sdk: string;
  /** Of its requests to hosts that are not known. */
  readonly provider: string;
  /** What else a client of it has, by which it is told. */
  readonly has: readonly string[];
}

/**
 * Has every request of a client recorded and replayed, in place: the client stays the object that it is. To do so again
 * changes nothing.
 *
 * @throws StepforkError `invalid_argument` for what is no such client
 */
export function recordClient(client: object, { sdk, provider, has }: ClientKind): void {
  const missing = ['fetch', ...has].filter((name) => Reflect.get(client, name) === undefined);
  if (!isFetching(client) || missing.length > 0) {
    const advice = `give it an instance of a class of '${sdk}', of a release that its peer range names`;
    throw new StepforkError(
      'invalid_argument',
      `the ${sdk} adapter needs a client that has ${missing.join(', ')}; ${advice}`,
    );
  }
  client.fetch = createRecordedFetch(client.fetch, { provider });
}

function isFetching(client: object): client is FetchingClient {
  return typeof Reflect.get(client, 'fetch') === 'function';
}
