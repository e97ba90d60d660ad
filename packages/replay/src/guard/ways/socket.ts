import net from 'node:net';
import process from 'node:process';
import tls from 'node:tls';
import { hostAndPort, hostName } from '../host.js';
import { type Around, goOn, type Patches } from '../patches.js';
import { connectRefusal, refusal } from '../refusal.js';
import { watchHere } from '../watches.js';
import { toHost, toThing, type WayOut } from '../way-out.js';

/** The part of a socket that is looked at; what has an underscore has been Node's own for ever. */
interface SocketView extends net.Socket {
  readonly _handle?: { readonly fd?: number } | null;
  readonly _host?: string | null;
  /** Set by Node on the process's own streams. */
  readonly _isStdio?: boolean;
  /** Of a socket that a server accepted. */
  readonly server?: object;
  readonly _tlsOptions?: { readonly isServer?: boolean };
}

/** What a socket leads to, where the socket itself does not tell. */
const goals = new WeakMap<object, WayOut>();
/** Servers that a watched run itself opened: it may answer whoever comes. */
const ownServers = new WeakSet<object>();
/** Another's data is being sent, which we hold up no longer. */
let isFlushing = false;

export function patchSocket(patches: Patches): void {
  patches.wrap(net.Socket.prototype, 'connect', (native, self, args) => {
    goals.delete(self as object);
    if (watchHere() === null) return goOn(native, self, args);
    const goal = goalOf(args);
    if (goal === null) return goOn(native, self, args);
    const refused = connectRefusal(goal.address, () => goal.way);
    if (refused !== null) {
      const result = goOn(native, self, failing(goal, refused));
      Reflect.set(self as object, REFUSED, (self as SocketView)._handle);
      return result;
    }
    goals.set(self as object, goal.way);
    return goOn(native, self, args);
  });

  const stopWriting: Around = (native, self, args) => {
    const socket = self as SocketView;
    const refused = refusalTo('write', socket);
    if (refused === null) return goOn(native, self, args);
    // The socket is another's, whose use of it must go on: it is neither destroyed nor left corked.
    flush(socket);
    if (!isPiped(stopWriting)) throw refused;
    socket.emit('error', refused);
    return false;
  };
  patches.wrap(net.Socket.prototype, 'write', stopWriting);
  patches.wrap(net.Socket.prototype, 'end', stopWriting);

  // Where the two above were taken before us, or are those of another class.
  patches.wrap(net.Socket.prototype, '_writeGeneric', (native, self, args) => {
    const refused = refusalTo('write', self as SocketView);
    const done = args[3];
    if (refused === null || typeof done !== 'function') return goOn(native, self, args);
    done(refused);
    return undefined;
  });

  // TLS over a socket that is open already says hello below what JavaScript sees.
  patches.wrap(tls.TLSSocket.prototype, '_start', (native, self, args) => {
    const socket = self as SocketView;
    const isClient = socket._tlsOptions?.isServer !== true && !socket.connecting;
    const refused = isClient ? refusalTo('handshake', socket) : null;
    if (refused === null) return goOn(native, self, args);
    socket.destroy(refused);
    return undefined;
  });

  patches.wrap(net.Server.prototype, 'listen', (native, self, args) => {
    if (watchHere() !== null) ownServers.add(self as object);
    return goOn(native, self, args);
  });
}

/** Says where a socket leads that was not connected by address. */
export function noteGoal(socket: object, way: WayOut): void {
  goals.set(socket, way);
}

/** Whether it leads out of the process: not a terminal, not a standard stream, not closed. */
export function isConnection(socket: net.Socket): boolean {
  const { _handle: handle, _isStdio, destroyed } = socket as SocketView;
  if (handle === null || handle === undefined || destroyed || _isStdio === true || isRefused(socket)) return false;
  if (handle.fd !== undefined && handle.fd >= 0 && handle.fd <= 2) return false;
  return /^(TCP|Pipe|TLSWrap)$/.test(handle.constructor.name);
}

/** Whether its connection was refused: it waits for the error. */
export function isRefused(socket: object): boolean {
  const refused: unknown = Reflect.get(socket, REFUSED);
  return refused !== undefined && refused === (socket as SocketView)._handle;
}

function refusalTo(verb: string, socket: SocketView): Error | null {
  if (isFlushing || watchHere() === null || !isConnection(socket)) return null;
  if (socket.server !== undefined && ownServers.has(socket.server)) return null;
  return refusal(() => alongTo(verb, socket));
}

function alongTo(verb: string, socket: SocketView): WayOut {
  const goal = goals.get(socket);
  const host = socket._host ?? socket.remoteAddress;
  if (goal !== undefined) return { ...goal, what: goal.what.replace(/^\S+/, verb) };
  if (host === undefined) return toThing(verb, 'a pipe', []);
  const byAddress =
    socket.remoteAddress === undefined ? [] : toHost(verb, socket.remoteAddress, socket.remotePort).names;
  const way = toHost(verb, host, socket.remotePort);
  return { ...way, names: [...way.names, ...byAddress] };
}

interface Goal {
  readonly way: WayOut;
  readonly address: string;
  readonly options: object;
  readonly listener: unknown;
}

/** null for arguments that Node itself refuses. */
function goalOf(args: readonly unknown[]): Goal | null {
  const given: readonly unknown[] = Array.isArray(args[0]) ? args[0] : args;
  const [first, second] = given;
  const options = typeof first === 'object' && first !== null ? first : addressOf(first, second);
  const { path, port, host } = options as { path?: unknown; port?: unknown; host?: unknown };
  const listener = given.findLast((each) => typeof each === 'function');
  if (typeof path === 'string' && path !== '') {
    return { way: toThing('connect', path, [path]), address: path, options, listener };
  }
  if (port === undefined) return null;
  const name = typeof host === 'string' && host !== '' ? host : 'localhost';
  return { way: toHost('connect', name, port), address: hostAndPort(hostName(name), port), options, listener };
}

function addressOf(first: unknown, second: unknown): object {
  const isPath = typeof first === 'string' && !(Number(first) >= 0);
  return isPath ? { path: first } : { port: first, host: second };
}

/** On a socket: its handle at the time, which another attempt of the same socket replaces. */
const REFUSED = Symbol('refused by the guard');

/** Arguments by which Node itself fails with the error, when those who will listen had time to: its host is not found. */
function failing({ options, listener }: Goal, error: Error): readonly unknown[] {
  const lookup = (_host: string, _options: unknown, done: (error: Error) => void): void => {
    process.nextTick(done, error);
  };
  const port = (options as { port?: unknown }).port ?? 1;
  const nowhere = { ...options, path: undefined, host: 'blocked.invalid', port, lookup };
  return listener === undefined ? [nowhere] : [nowhere, listener];
}

/** What was corked cannot be the run's, since none of its writes come this far. */
function flush(socket: net.Socket): void {
  isFlushing = true;
  try {
    while (socket.writableCorked > 0) socket.uncork();
  } finally {
    isFlushing = false;
  }
}

/** Whether Node's own `pipe` is the caller, which hears of an error by its event alone. */
function isPiped(below: Around): boolean {
  const here: { stack?: string } = {};
  Error.captureStackTrace(here, below);
  return /^.*\n\s*at [^\n]*node:internal\/streams\//.test(String(here.stack));
}
