/** One call of `fetch`, as far as it can be told without reading a body. */
export interface Target {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers | undefined;
  /** Lower case, without parameters; null where nothing says it. */
  readonly contentType: string | null;
  /** The body that was given beside the URL; undefined for none. */
  readonly body: unknown;
  /** The request object that was given in place of a URL. */
  readonly request: Request | null;
  readonly signal: AbortSignal | null;
}

/** Null for arguments that `fetch` itself refuses: it says best what is wrong with them. */
export function targetOf([input, init]: readonly unknown[]): Target | null {
  try {
    const request = isRequest(input) ? input : null;
    const given = (init ?? {}) as RequestInit;
    const headers = given.headers === undefined ? request?.headers : new Headers(given.headers);
    return {
      method: (given.method ?? request?.method ?? 'GET').toUpperCase(),
      url: new URL(request?.url ?? String(input)),
      headers,
      contentType: mediaType(headers?.get('content-type')),
      body: given.body ?? undefined,
      request,
      signal: given.signal ?? request?.signal ?? null,
    };
  } catch {
    return null;
  }
}

/** `application/json` of `Application/JSON; charset=utf-8`. */
export function mediaType(header: string | null | undefined): string | null {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase();
  return type === undefined || type === '' ? null : type;
}

export function isJsonType(type: string | null): boolean {
  return type !== null && /^application\/(.+\+)?json$/.test(type);
}

/** Of any realm or library. */
function isRequest(input: unknown): input is Request {
  if (typeof input !== 'object' || input === null) return false;
  const { url, clone } = input as { readonly url?: unknown; readonly clone?: unknown };
  return typeof url === 'string' && typeof clone === 'function';
}
