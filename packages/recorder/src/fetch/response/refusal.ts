import type { StepforkError } from '@stepfork/trace-format/write';

/** Shared by all copies of this package. */
const REFUSED = Symbol.for('stepfork.refused/1');

/**
 * What a caller of `fetch` is given for a request that a replay refuses. Thrown, it would be taken for a broken network
 * and tried again for seconds; this every SDK takes for the last word. The replay itself keeps why it refused.
 */
export function refusalResponse(refused: StepforkError): Response {
  const { code, message } = refused;
  const body = { type: 'error', error: { type: 'stepfork', code, message } };
  const response = new Response(JSON.stringify(body), {
    status: 403,
    statusText: 'Refused by Stepfork',
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
  });
  return Object.defineProperty(response, REFUSED, { value: refused });
}

/** Why a replay refused a request, for an SDK that passes on what is thrown; null for any other response. */
export function refusalOf(response: object): StepforkError | null {
  return (Reflect.get(response, REFUSED) as StepforkError | undefined) ?? null;
}
