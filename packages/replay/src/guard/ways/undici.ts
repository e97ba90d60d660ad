import diagnosticsChannel from 'node:diagnostics_channel';
import { hostAndPort, hostName } from '../host.js';
import type { Patches } from '../patches.js';
import { requestRefusal } from '../refusal.js';
import { watchHere } from '../watches.js';
import { toHost } from '../way-out.js';

/** undici's own request, Node's or the package's. */
interface UndiciRequest {
  readonly origin?: string | URL;
  readonly onError?: (error: Error) => void;
}

const CHANNEL = 'undici:request:create';

/** undici tells of every request before it goes out, over whatever connection; one that has failed is not sent. */
export function patchUndici(patches: Patches): void {
  diagnosticsChannel.subscribe(CHANNEL, onCreate);
  patches.onUndo(() => {
    diagnosticsChannel.unsubscribe(CHANNEL, onCreate);
  });
}

function onCreate(message: unknown): void {
  if (watchHere() === null) return;
  const { request } = message as { readonly request: UndiciRequest };
  const { hostname, port } = goalOf(request);
  const refused = requestRefusal(hostAndPort(hostName(hostname), port), () => toHost('request', hostname, port));
  if (refused !== null) request.onError?.(refused);
}

function goalOf({ origin }: UndiciRequest): { readonly hostname: string; readonly port: string } {
  const { hostname, port, protocol } = new URL(String(origin));
  return { hostname, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port };
}
