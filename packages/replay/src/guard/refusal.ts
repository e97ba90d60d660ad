import { captureStack } from '../session/call-site.js';
import { placeOf } from './place.js';
import { watchHere } from './watches.js';
import type { WayOut } from './way-out.js';

/** The error that an attempt made here is to fail with; null where it may go on. Its run's owner is told of it. */
export function refusal(describe: () => WayOut): Error | null {
  const here = watchHere();
  if (here === null) return null;
  const way = describe();
  if (!here.watch.stops(way, here.frame)) return null;
  return here.watch.stop(way, placeOf(captureStack(), here.frame));
}

const UNDICI = /[\\/]undici[\\/]|node:internal\/deps\/undici/;

/** As `refusal`, of a request by undici, which a connection is then tried for that is no attempt of its own. */
export function requestRefusal(address: string, describe: () => WayOut): Error | null {
  const refused = refusal(describe);
  if (refused !== null) watchHere()?.watch.requests.set(address, refused);
  return refused;
}

/** As `refusal`, of a connection, which may belong to a request that was refused. */
export function connectRefusal(address: string, describe: () => WayOut): Error | null {
  const request = watchHere()?.watch.requests.get(address);
  if (request !== undefined && UNDICI.test(String(captureStack().stack))) return request;
  return refusal(describe);
}
