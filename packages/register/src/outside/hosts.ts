import { subscribe } from 'node:diagnostics_channel';
import net from 'node:net';
import type { Reach } from './watch.js';

/** By which a loader of TypeScript talks to itself. */
const LOADER = /[\\/]tsx-\d+[\\/]\d+\.pipe$/;

/** Connections, and requests through a pool of them that undici keeps. */
export function watchHosts(reach: Reach): void {
  net.Socket.prototype.connect = new Proxy(net.Socket.prototype.connect, {
    apply(connect, self: unknown, args: unknown[]) {
      const goal = goalOf(Array.isArray(args[0]) ? args[0] : args);
      if (goal !== null && !LOADER.test(goal)) reach('connect', goal);
      return Reflect.apply(connect as () => unknown, self, args);
    },
  });
  subscribe('undici:request:create', (message) => {
    const { origin } = (message as { readonly request?: { readonly origin?: unknown } }).request ?? {};
    if (origin !== undefined) reach('request', hostOf(String(origin)));
  });
}

/** `db.test:5432`; the path of a socket in the file system; null for what Node refuses. */
function goalOf([first, second]: readonly unknown[]): string | null {
  const options = typeof first === 'object' && first !== null ? first : { port: first, host: second };
  const { path, port, host } = options as { path?: unknown; port?: unknown; host?: unknown };
  if (typeof path === 'string' && path !== '') return path;
  if (typeof first === 'string' && !(Number(first) >= 0)) return first;
  return port === undefined ? null : `${typeof host === 'string' && host !== '' ? host : 'localhost'}:${String(port)}`;
}

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** With its port, as a connection has it. */
export function hostOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, port, protocol } = new URL(url);
  return `${hostname.replace(/^\[(.*)\]$/, '$1')}:${port || (PORTS[protocol] ?? '')}`;
}
