import type { RequestOptions } from 'node:http';
import { urlToHttpOptions } from 'node:url';

export type Protocol = 'http:' | 'https:';

type Given = RequestOptions;

/**
 * Where a request goes, by what `request` was given; null for one that is none to an address: a tunnel through a proxy, a
 * connection that is to be another protocol's, `OPTIONS *`.
 */
export function urlOf(args: readonly unknown[], protocol: Protocol): URL | null {
  const given = optionsOf(args);
  if (given === null || String(given.method).toUpperCase() === 'CONNECT' || isUpgrade(given)) return null;
  // As Node has it: an empty one is none.
  const path = String(given.path || '/');
  const origin = `${given.protocol ?? protocol}//${hostOf(given)}`;
  // A proxy is given the whole address.
  const text = path.startsWith('/') ? origin + path : path;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  return new URL(text);
}

function optionsOf([first, second]: readonly unknown[]): Given | null {
  try {
    const isText = typeof first === 'string';
    const url = isText || isUrl(first) ? urlToHttpOptions(isText ? new URL(first) : first) : null;
    const options = (url === null ? first : second) as Given | undefined;
    return { ...url, ...(typeof options === 'object' ? options : {}) };
  } catch {
    // Node says best what is wrong with it.
    return null;
  }
}

/** Of any realm or library, as Node tells one. */
export function isUrl(value: unknown): value is URL {
  if (typeof value !== 'object' || value === null) return false;
  const { href, protocol, path } = value as {
    readonly href?: unknown;
    readonly protocol?: unknown;
    readonly path?: unknown;
  };
  return typeof href === 'string' && typeof protocol === 'string' && path === undefined;
}

function hostOf({ hostname, host, port, defaultPort, agent }: Given): string {
  const name = String(hostname ?? host ?? 'localhost');
  const number = port ?? defaultPort ?? (agent as { readonly defaultPort?: number } | undefined)?.defaultPort;
  const bare = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  return number === undefined || number === null || number === '' ? bare : `${bare}:${number}`;
}

function isUpgrade({ headers }: Given): boolean {
  if (typeof headers !== 'object' || headers === null) return false;
  const names = Array.isArray(headers) ? headers.filter((_, at) => at % 2 === 0).map(String) : Object.keys(headers);
  return names.some((name) => name.toLowerCase() === 'upgrade');
}
