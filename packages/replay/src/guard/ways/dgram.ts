import dgram from 'node:dgram';
import process from 'node:process';
import { goOn, type Patches } from '../patches.js';
import { refusal } from '../refusal.js';
import { toHost, type WayOut } from '../way-out.js';

export function patchDgram(patches: Patches): void {
  patches.wrap(dgram.Socket.prototype, 'send', (native, self, args) => {
    const socket = self as dgram.Socket;
    const refused = refusal(() => sendTo(socket, args));
    if (refused === null) return goOn(native, self, args);
    fail(socket, args, refused);
    return undefined;
  });
  patches.wrap(dgram.Socket.prototype, 'connect', (native, self, args) => {
    const refused = refusal(() => toHost('connect', hostOf(args[1]), args[0]));
    if (refused === null) return goOn(native, self, args);
    fail(self as dgram.Socket, args, refused);
    return undefined;
  });
}

/** `send(message, port?, address?)`, `send(message, offset, length, port?, address?)`, or neither if connected. */
function sendTo(socket: dgram.Socket, args: readonly unknown[]): WayOut {
  const remote = remoteOf(socket);
  if (remote !== null) return toHost('send', remote.address, remote.port);
  const isPart = typeof args[4] === 'string' || (args[3] !== undefined && typeof args[3] !== 'function');
  const [port, address] = isPart ? [args[3], args[4]] : [args[1], args[2]];
  return toHost('send', hostOf(address), port);
}

function remoteOf(socket: dgram.Socket): { readonly address: string; readonly port: number } | null {
  try {
    return socket.remoteAddress();
  } catch {
    return null;
  }
}

function hostOf(address: unknown): string {
  return typeof address === 'string' && address !== '' ? address : 'localhost';
}

/** A socket that may be another's is left as it is; nobody who listens means that the caller must be told. */
function fail(socket: dgram.Socket, args: readonly unknown[], error: Error): void {
  const done = args.find((arg) => typeof arg === 'function') as ((error: Error) => void) | undefined;
  if (done !== undefined) process.nextTick(done, error);
  else if (socket.listenerCount('error') > 0) process.nextTick(() => socket.emit('error', error));
  else throw error;
}
