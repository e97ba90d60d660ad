import diagnosticsChannel from 'node:diagnostics_channel';
import { displayText } from '@stepfork/trace-format/write';
import { frameHere } from '../boundary/here.js';
import { warnOnce } from '../boundary/warning.js';
import { isPartOfRequest } from './inside.js';
import { maySpeakProtocol, providerAt } from './request/providers.js';

/** undici tells of every request of Node's own `fetch`, whoever has kept that one. */
const CHANNEL = 'undici:request:create';

/**
 * Warns, once for each host, of a request to a model that a recorded run makes by a `fetch` that was taken before the
 * recorded one was installed. What the body of a call asks for is a part of that call.
 *
 * @returns ends it
 */
export function watchPassersBy(): () => void {
  diagnosticsChannel.subscribe(CHANNEL, onRequest);
  return () => void diagnosticsChannel.unsubscribe(CHANNEL, onRequest);
}

function onRequest(message: unknown): void {
  const frame = frameHere();
  if (frame === undefined || frame.handler.mode !== 'record' || !frame.handler.active) return;
  if (frame.call !== null || isPartOfRequest(frame)) return;
  const url = urlOf(message);
  if (url === null || (providerAt(url.at) === null && !maySpeakProtocol(url.method, url.at))) return;
  const host = displayText(url.at.host);
  const advice = 'make it by fetch, and call installFetch() before the client is made, or instrument the client';
  const why = 'by undici itself, or by a fetch that was taken before installFetch()';
  warnOnce('request_not_recorded', host, `a request to ${host} was made ${why}, so it was not recorded; ${advice}`);
}

function urlOf(message: unknown): { readonly at: URL; readonly method: string } | null {
  const { request } = message as { readonly request?: Readonly<Record<string, unknown>> };
  const { origin, path, method } = request ?? {};
  const text = `${String(origin)}${String(path)}`;
  return URL.canParse(text) ? { at: new URL(text), method: String(method) } : null;
}
