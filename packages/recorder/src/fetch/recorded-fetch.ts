import { isDisabled } from '../disabled.js';
import { isOfRun, isReplayed } from './inside.js';
import { isOfInterest, type Scope, toolOf } from './request/subject.js';
import { type Target, targetOf } from './request/target.js';
import { send } from './send.js';

/** `fetch`, or a function of the same kind. */
export type FetchFunction = (...args: never[]) => Promise<unknown>;

/** Which requests are recorded, beside those to the hosts of known providers. */
export interface RecordedFetchOptions {
  /** Every other request is one to a model, too, of this provider. */
  readonly provider?: string | undefined;
  /** Which model is asked, where neither the path nor the body of a request names one. */
  readonly model?: string | undefined;
  /** Every other request is recorded as a tool, `http:<host>`. A replay answers those that were, whatever this says. */
  readonly http?: boolean | undefined;
}

/** Shared by all copies of this package: gives the function that a recorded one was made of. */
const BARE = Symbol.for('stepfork.fetch/1');

/**
 * A `fetch` of the very same type whose requests to models are recorded while a run records, answered from the
 * recording while one replays, and otherwise go straight through. A `fetch` that is recorded already is not recorded
 * twice: the options given last count.
 */
export function createRecordedFetch<F extends FetchFunction>(fetch: F, options: RecordedFetchOptions = {}): F {
  if (isDisabled()) return fetch;
  const bare = bareFetch(fetch);
  const { provider = null, model = null, http = false } = options;
  const scope: Scope = { provider, model, http };
  return new Proxy(bare, {
    apply(_bare, self: unknown, args: readonly unknown[]) {
      const make = (): Promise<Response> => Reflect.apply(bare, self, args) as Promise<Response>;
      const target = isOfRun() ? targetOf(args) : null;
      if (target === null) return make();
      const here = scopeOf(target, scope);
      return isOfInterest(target, here) ? send(target, here, make) : make();
    },
    get: (_bare, key) => (key === BARE ? bare : Reflect.get(bare, key)),
  });
}

/** What a recording holds as a tool's call is answered as one, by whichever `fetch` it is asked for. */
function scopeOf({ url }: Target, scope: Scope): Scope {
  return scope.http || !isReplayed(toolOf(url)) ? scope : { ...scope, http: true };
}

/** Whether its requests are recorded. */
export function isRecorded(fetch: FetchFunction): boolean {
  return Reflect.get(fetch, BARE) !== undefined;
}

function bareFetch<F extends FetchFunction>(fetch: F): F {
  return (Reflect.get(fetch, BARE) as F | undefined) ?? fetch;
}
