/** What a `Response` has no place for a body with. */
const BODILESS: readonly number[] = [101, 103, 204, 205, 304];

/** A `Response` of any status that a server gives, also of one that `fetch` does not know. */
export function anyResponse(
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
  { status, ...head }: { readonly status: number; readonly statusText: string; readonly headers: Headers },
): Response {
  const isKnown = status >= 200 && status <= 599;
  const response = new Response(BODILESS.includes(status) ? null : body, { ...head, status: isKnown ? status : 200 });
  return isKnown ? response : Object.defineProperty(response, 'status', { value: status });
}
