import type { StepforkError } from '@stepfork/trace-format/write';

/**
 * What a caller of `fetch` is given for a request that a replay refuses. Thrown, it would be taken for a broken network
 * and tried again for seconds; this every SDK takes for the last word. The replay itself keeps why it refused.
 */
export function refusalResponse({ code, message }: StepforkError): Response {
  const body = { type: 'error', error: { type: 'stepfork', code, message } };
  return new Response(JSON.stringify(body), {
    status: 403,
    statusText: 'Refused by Stepfork',
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
  });
}
