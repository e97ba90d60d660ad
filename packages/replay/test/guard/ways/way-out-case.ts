import type http2 from 'node:http2';
import type net from 'node:net';
import type { World } from '../world.js';

/** One way out of the process. */
export interface WayOutCase {
  readonly name: string;
  /** Resolves once it is through, else throws or rejects with what it failed with. */
  readonly attempt: (world: World) => unknown;
  /** What the report is to call it. */
  readonly what: (world: World) => string;
  /** It fails outside the run too (there is no such name), but not by the guard. */
  readonly fails?: true;
  /** No server of ours sees it. */
  readonly unseen?: true;
  /** It is written to from where nothing of the caller is left. */
  readonly placeless?: true;
  /** Its kind of error tells no cause. */
  readonly vague?: true;
}

export const host = '127.0.0.1';
export const raw = ({ ports }: World): string => `${host}:${ports.raw}`;
export const web = ({ ports }: World): string => `${host}:${ports.web}`;
export const secure = ({ ports }: World): string => `${host}:${ports.secure}`;
export const h2 = ({ ports }: World): string => `${host}:${ports.h2}`;
export const udp = ({ ports }: World): string => `${host}:${ports.udp}`;
export const to =
  (verb: string, goal: (world: World) => string) =>
  (world: World): string =>
    `${verb} ${goal(world)}`;
export const named = (what: string) => (): string => what;

/** A promise of what comes first. */
export function came(
  emitter: { once: (event: string, listener: (value?: unknown) => void) => unknown },
  event: string,
) {
  return new Promise((resolve, reject) => {
    emitter.once(event, resolve);
    emitter.once('error', reject);
  });
}

export const given = (ask: (done: (error: unknown) => void) => unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    ask((error) => (error === null || error === undefined ? resolve() : reject(error)));
  });

export async function connected(socket: net.Socket, event = 'connect'): Promise<void> {
  await came(socket, event);
  socket.destroy();
}

export async function h2Answer(session: http2.ClientHttp2Session): Promise<void> {
  const stream = session.request({ ':path': '/' });
  stream.resume();
  await came(stream, 'end');
}
