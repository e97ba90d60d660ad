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
  const request = requestOf(message);
  const advice = 'make it by fetch, and call installFetch() before the client is made, or instrument the client';
  const why = 'by undici itself, or by a fetch that was taken before installFetch()';
  if (request !== null) warnOfPasserBy(request, false, why, advice);
}

/** A request that nobody sees who would record it. */
export interface PasserBy {
  readonly url: URL;
  readonly method: string;
}

/**
 * Warns of a request, where it is one that a run is to record.
 *
 * @param isAny whether also what goes to no model is recorded
 * @param why it is not recorded
 */
export function warnOfPasserBy({ url, method }: PasserBy, isAny: boolean, why: string, advice: string): void {
  const frame = frameHere();
  if (frame === undefined || frame.handler.mode !== 'record' || !frame.handler.active) return;
  if (frame.call !== null || isPartOfRequest(frame)) return;
  if (!isAny && providerAt(url) === null && !maySpeakProtocol(method, url)) return;
  const host = displayText(url.host);
  warnOnce('request_not_recorded', host, `a request to ${host} was made ${why}, so it was not recorded; ${advice}`);
}

function requestOf(message: unknown): PasserBy | null {
  const { request } = message as { readonly request?: Readonly<Record<string, unknown>> };
  const { origin, path, method } = request ?? {};
  const text = `${String(origin)}${String(path)}`;
  return URL.canParse(text) ? { url: new URL(text), method: String(method) } : null;
}
