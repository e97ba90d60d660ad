import type { RequestBody } from './body.js';
import { openFields } from './fields.js';
import { provesWhoAsks } from './proof.js';
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
