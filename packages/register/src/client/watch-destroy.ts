import type { Socket } from 'node:net';

type Told = (error: Error | undefined) => void;

/** Who is told now. One that is kept alive carries one request after the other. */
const TOLD = new WeakMap<Socket, { told: Told }>();

/**
 * Tells of a connection that is destroyed, before it is. Its `destroy` stays the same function from then on: programs
 * give it to listeners, and take it away from them.
 */
export function watchDestroy(socket: Socket, told: Told): void {
  const watched = TOLD.get(socket);
  if (watched !== undefined) {
    watched.told = told;
    return;
  }
  const watching = { told };
  TOLD.set(socket, watching);
  const { destroy } = socket;
  socket.destroy = function (this: Socket, error) {
    watching.told(error);
    return Reflect.apply(destroy, this, [error]) as Socket;
  };
}
