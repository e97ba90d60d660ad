import type { ClientRequest, IncomingMessage } from 'node:http';

/** As they came: of those that come twice, both. */
export function headersOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

/** What `node:http` has of headers. */
export interface MessageHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
}

export function messageHeaders(entries: readonly (readonly [string, string])[]): MessageHeaders {
  return { headers: Object.fromEntries(entries), rawHeaders: entries.flat() };
}

/** Whether an answer of that status to that request has one, though it may be empty. */
export function hasBody(status: number, { method }: Pick<ClientRequest, 'method'>): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}
