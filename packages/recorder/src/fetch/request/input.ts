import type { RequestBody } from './body.js';
import { openFields } from './fields.js';
import type { Target } from './target.js';

/** What is recorded of a request and what a replay matches. Neither headers nor the host are part of it. */
export interface RequestInput {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Parameters by which a caller proves who it is: like the header that others use, no part of what was asked. */
const CREDENTIAL = /^(key|sig|signature|(api|access|auth)[-_]?(key|token)|token|x-amz-.*|x-goog-.*)$/i;

export function inputOf({ method, url }: Target, { value }: RequestBody): RequestInput {
  const query = openFields();
  for (const [name, given] of url.searchParams) if (!CREDENTIAL.test(name)) query.add(name, given);
  return {
    method,
    path: url.pathname,
    ...(Object.keys(query.all).length === 0 ? {} : { query: query.all }),
    ...(value === undefined ? {} : { body: value }),
  };
}
