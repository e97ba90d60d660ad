/** By the standard these have no body, and none can be given to them. */
const BODILESS: readonly number[] = [101, 103, 204, 205, 304];

/** What a response has beside its body. */
interface AnyHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
}

export function isBodiless(status: number): boolean {
  return BODILESS.includes(status);
}

/** A `Response` of any status that a server gives, also of one with which nobody can construct one. */
export function anyResponse(
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
  { status, statusText, headers }: AnyHead,
): Response {
  const isUsual = status >= 200 && status <= 599;
  const init = { status: isUsual ? status : 200, statusText, headers };
  const response = new Response(isBodiless(status) ? null : body, init);
  if (isUsual) return response;
  return Object.defineProperties(response, {
    status: { value: status, configurable: true },
    ok: { value: false, configurable: true },
  });
}
