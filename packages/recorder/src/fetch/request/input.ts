import type { RequestBody } from './body.js';
import { openFields } from './fields.js';
import type { Target } from './target.js';

/** What is recorded of a request and what a replay matches. The host is no part of it: it is what a tool is called by. */
export interface RequestInput {
  readonly method: string;
  /** Of a tool, where it is not the usual one: another service of the same host. */
  readonly port?: number;
  /** Of a tool: those that ask for something else. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Parameters by which a caller proves who it is: like the header that others use, no part of what was asked. */
const CREDENTIAL = /^(key|sig|signature|(api|access|auth)[-_]?(key|token)|token|x-amz-.*|x-goog-.*)$/i;

/** Of these, what is called so by a tool may as well be what is asked for: `?key=orders`. */
const GENERIC = /^(key|sig|signature|token)$/i;
/** A word, a number, or what is too short to prove anything. */
const PLAIN = /^(.{0,15}|[a-z]+([-_. ][a-z]+)*|\d+)$/i;

function provesWhoAsks(name: string, value: string, kind: 'tool' | 'llm'): boolean {
  if (!CREDENTIAL.test(name)) return false;
  return kind === 'llm' || !GENERIC.test(name) || !PLAIN.test(value);
}

/** Headers by which a server is asked for another answer, by whatever client. */
const ASKING = /^(range|if-(range|match|none-match|modified-since|unmodified-since))$/;
/** What a client says that takes anything. */
const ANYTHING = '*/*';

export function inputOf({ method, url, headers }: Target, { value }: RequestBody, kind: 'tool' | 'llm'): RequestInput {
  const query = openFields();
  // The parameters of a URL are made when they are first asked for.
  for (const [name, given] of url.search === '' ? [] : url.searchParams)
    if (!provesWhoAsks(name, given, kind)) query.add(name, given);
  const asking = kind === 'tool' ? askingHeaders(headers) : {};
  return {
    method,
    ...(kind === 'tool' && url.port !== '' ? { port: Number(url.port) } : {}),
    path: url.pathname,
    ...(Object.keys(query.all).length === 0 ? {} : { query: query.all }),
    ...(Object.keys(asking).length === 0 ? {} : { headers: asking }),
    ...(value === undefined ? {} : { body: value }),
  };
}

function askingHeaders(headers: Headers | undefined): Readonly<Record<string, string>> {
  const asking = [...(headers ?? [])].filter(([name, value]) =>
    name === 'accept' ? !value.includes(ANYTHING) : ASKING.test(name),
  );
  return Object.fromEntries(asking);
}
