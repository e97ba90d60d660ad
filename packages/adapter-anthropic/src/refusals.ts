import { refusalOf } from '@stepfork/recorder/fetch';

/** What stands between a client and its `fetch`, in releases that have it. */
type Middleware = (request: unknown, next: (request: unknown) => Promise<object>) => Promise<object>;

interface Client {
  middleware?: unknown;
}

/**
 * Has a request that a replay refuses fail with what the replay has to say. What a middleware throws, the SDK passes on
 * as it is; of a response it makes an error of its own. Last of all, so that no other takes the refusal for an answer.
 */
export function throwRefusals(client: Client): void {
  const { middleware } = client;
  if (!Array.isArray(middleware) || middleware.includes(throwRefusal)) return;
  client.middleware = [...(middleware as unknown[]), throwRefusal];
}

const throwRefusal: Middleware = async (request, next) => {
  const response = await next(request);
  const refusal = refusalOf(response);
  if (refusal !== null) throw refusal;
  return response;
};
