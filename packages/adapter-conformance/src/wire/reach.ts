/**
 * A `fetch` that reaches a server on this machine, whatever host a client names: so a client is used with the very
 * addresses of its provider.
 */
export function reaching(baseURL: string): typeof fetch {
  const send = globalThis.fetch;
  return (input, init) => {
    const isRequest = typeof input === 'object' && 'url' in input;
    const { pathname, search } = new URL(isRequest ? input.url : input);
    const there = `${baseURL}${pathname}${search}`;
    return send(isRequest ? new Request(there, input) : there, init);
  };
}
