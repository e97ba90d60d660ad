import { slot } from '@stepfork/recorder/boundary';
import { createRecordedFetch, type FetchFunction, refusalOf } from '@stepfork/recorder/fetch';
import { makeSameIds } from './made-ids.js';
import type { Model } from './model.js';
import { type Callable, isCallable, isRecord, withMembers } from './shape.js';
import { vendorOf } from './vendor.js';

/** A model of a package of the SDK: it sends what it is asked by `fetch`, its provider's or else the global one. */
export interface FetchingModel extends Model {
  config: { readonly fetch?: FetchFunction | undefined; readonly headers?: unknown };
}

export function isFetching(model: Model): model is FetchingModel {
  const own = Object.getOwnPropertyDescriptor(model, 'config');
  return own?.writable === true && isRecord(own.value) && 'fetch' in own.value;
}

export function recordFetch(model: FetchingModel): void {
  const { config } = model;
  const { fetch, headers } = isCallable(config.headers) ? authenticatedLate(config, config.headers) : config;
  const recorded = createRecordedFetch(fetch ?? globalFetch, { provider: vendorOf(model), model: model.modelId });
  model.config = withMembers(config, [
    ['fetch', refusing(recorded)],
    ['headers', headers],
  ]);
  makeSameIds(model, model.config);
}

/** What a replay refuses is thrown as it is: the SDK neither tries that again nor makes an error of its own of it. */
function refusing(fetch: FetchFunction): FetchFunction {
  return async (...args) => {
    const response = await fetch(...args);
    const refused = isRecord(response) ? refusalOf(response) : null;
    if (refused !== null) throw refused;
    return response;
  };
}

/** Found at each call, as the SDK does it. */
const globalFetch: FetchFunction = (...args) => Reflect.apply(globalThis.fetch, undefined, args);

/**
 * In a replay, headers are made only where a request is really sent: nobody should need a provider's key, or ask its
 * servers for one, for answers from a recording.
 */
function authenticatedLate(
  config: FetchingModel['config'],
  headers: Callable,
): { readonly fetch: FetchFunction; readonly headers: Callable } {
  const { fetch = globalFetch } = config;
  const make = (args: readonly unknown[]): unknown => Reflect.apply(headers, config, args);
  return {
    headers: (...args) => (isReplaying() ? {} : make(args)),
    fetch: async (...args) => {
      if (!isReplaying()) return fetch(...args);
      const [input, init] = args as unknown as [unknown, { readonly headers?: object } | undefined];
      const all = { ...((await make([])) as object), ...init?.headers };
      return Reflect.apply(fetch, undefined, [input, { ...init, headers: all }]);
    },
  };
}

function isReplaying(): boolean {
  const { frames, active } = slot();
  const handlers = [frames.getStore()?.handler ?? [...active]].flat();
  return handlers.some(({ mode }) => mode === 'replay');
}
