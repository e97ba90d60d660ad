import http from 'node:http';
import type net from 'node:net';
import { goOn, type Patches } from '../patches.js';
import { refusal } from '../refusal.js';
import { watchHere } from '../watches.js';
import { toHost, toThing, type WayOut } from '../way-out.js';
import { isConnection, isRefused } from './socket.js';

interface RequestOptions {
  readonly host?: string | null;
  readonly port?: string | number | null;
  readonly socketPath?: string | null;
}

interface RequestView extends http.ClientRequest {
  readonly onSocket: (socket: net.Socket | undefined, error?: Error) => void;
}

/**
 * Requests that would go over a connection that exists already, or wait for one. All others open one of their own,
 * and are stopped there: so requests that an interceptor answers without any are not.
 */
export function patchHttpAgent(patches: Patches): void {
  patches.wrap(http.Agent.prototype, 'addRequest', (native, self, args) => {
    if (watchHere() === null) return goOn(native, self, args);
    const agent = self as http.Agent;
    const [request, options, port] = args as [RequestView, RequestOptions | string, number | undefined];
    const goal = typeof options === 'string' ? { host: options, port: port ?? null } : options;
    const refused = wouldConnect(agent, goal) ? null : refusal(() => requestTo(goal));
    if (refused === null) return goOn(native, self, args);
    request.onSocket(undefined, refused);
    return undefined;
  });
  patchOnSocket(patches);
}

/** A request over a connection that an agent of its own, or `createConnection`, hands out. */
function patchOnSocket(patches: Patches): void {
  patches.wrap(http.ClientRequest.prototype, 'onSocket', (native, self, args) => {
    const [socket] = args as [net.Socket | undefined];
    if (watchHere() === null || socket === undefined || !isConnection(socket)) return goOn(native, self, args);
    const { host } = self as http.ClientRequest;
    const refused = isRefused(socket)
      ? null
      : refusal(() => toHost('request', socket.remoteAddress ?? host, socket.remotePort));
    if (refused === null) return goOn(native, self, args);
    return goOn(native, self, [undefined, refused]);
  });
}

function wouldConnect(agent: http.Agent, goal: RequestOptions): boolean {
  const free = socketsTo(agent.freeSockets, goal);
  const used = socketsTo(agent.sockets, goal);
  if (free.length + used.length === 0) return true;
  if (free.some(isConnection)) return false;
  return used.length < agent.maxSockets && Object.values(agent.sockets).flat().length < agent.maxTotalSockets;
}

function socketsTo(
  sockets: NodeJS.ReadOnlyDict<net.Socket[]>,
  { host, port, socketPath }: RequestOptions,
): net.Socket[] {
  const start = `${host || 'localhost'}:${port ?? ''}:`;
  const isOf = (name: string): boolean => (socketPath ? name.endsWith(`:${socketPath}`) : name.startsWith(start));
  return Object.entries(sockets).flatMap(([name, found]) => (isOf(name) ? (found ?? []) : []));
}

function requestTo({ host, port, socketPath }: RequestOptions): WayOut {
  if (socketPath) return toThing('request', socketPath, [socketPath]);
  return toHost('request', host || 'localhost', port);
}
