/** What of a response's headers an SDK or an agent reads. Cookies and the like are left out. */
const READ =
  /^(content-type|location|etag|link|retry-after(-ms)?|x-should-retry|x-amzn-(requestid|errortype)|openai-(model|processing-ms|version))$/;
const READ_PARTS = /(^|-)(request-id|ratelimit)(-|$)/;

export type RecordedHeaders = Readonly<Record<string, string>>;

export function recordedHeaders(headers: Headers): RecordedHeaders {
  return Object.fromEntries([...headers.entries()].filter(([name]) => READ.test(name) || READ_PARTS.test(name)));
}

/** Nobody waits before trying again what is answered from a recording. Time that a replay is given is not its own. */
export function replayedHeaders(recorded: RecordedHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(recorded)) {
    if (name === 'retry-after' || name === 'retry-after-ms') headers.set('retry-after-ms', '1');
    else headers.set(name, value);
  }
  return headers;
}
