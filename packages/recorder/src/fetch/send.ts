import { types } from 'node:util';
import { isStepforkError, StepforkError } from '@stepfork/trace-format/write';
import { type Boundary, crossing } from '../boundary/cross.js';
import { signalsIn } from '../boundary/signals.js';
import { fetching } from './inside.js';
import { type RequestBody, readBody } from './request/body.js';
import { inputOf } from './request/input.js';
import { type Scope, type Subject, subjectOf } from './request/subject.js';
import type { Target } from './request/target.js';
import { CHUNK_CODEC } from './response/chunk-codec.js';
import { type Exchange, isExchange, isResponse, isStreamedExchange, type Received, take } from './response/exchange.js';
import { isHttpError, toHttpError } from './response/http-error.js';
import { refusalResponse } from './response/refusal.js';
import { toResponse } from './response/to-response.js';
import { usageOfAnswer } from './response/usage.js';
import { unlessAborted } from './unless-aborted.js';

/**
 * Sends a request that may be one that is recorded.
 *
 * @param make sends it, whatever it is
 */
export async function send(target: Target, scope: Scope, make: () => Promise<Response>): Promise<Response> {
  const reading = readBody(target);
  // Not awaited where it need not be: requests that are made side by side start in the order in which they were made.
  const body = types.isPromise(reading) ? await reading : reading;
  const subject = subjectOf(target, body, scope);
  return subject === null ? make() : sendAs(subject, target, body, make);
}

/** What came of a request that was really made. */
interface Made {
  received: Received | null;
  /** What is no `Response`, as the stand-ins of tests are not: given to its caller as it is. */
  foreign: Response | null;
}

async function sendAs(
  subject: Subject,
  target: Target,
  body: RequestBody,
  make: () => Promise<Response>,
): Promise<Response> {
  let made: Made | null = null;
  const isMade = (): boolean => made !== null;
  const give = (exchange: Exchange): Response => toResponse(exchange, target, made?.received ?? null);
  const invoke = async (): Promise<unknown> => {
    const sent: Made = { received: null, foreign: null };
    made = sent;
    const response = await fetching(make);
    if (!isResponse(response)) {
      sent.foreign = response;
      return response;
    }
    const { exchange, received } = await take(response);
    sent.received = received;
    if (exchange.status >= 400 && !isStreamedExchange(exchange)) throw toHttpError(exchange);
    return exchange;
  };
  const foreign = (): Response | null => made?.foreign ?? null;
  const call = crossing(boundaryOf(subject), {
    input: () => inputOf(target, body, subject.kind),
    signals: () => signalsIn([target.signal]),
    invoke,
  });
  if (call === null) return make();
  try {
    const calling = call() as Promise<unknown>;
    const answer = await (isMade() ? calling : unlessAborted(calling, target.signal));
    return foreign() ?? give(checkExchange(answer, subject));
  } catch (thrown) {
    if (isHttpError(thrown)) return give(thrown.response);
    if (isStepforkError(thrown) && !isMade()) return refusalResponse(thrown);
    throw thrown;
  }
}

function boundaryOf({ kind, name, provider }: Subject): Boundary {
  return {
    kind,
    name,
    provider,
    replayPolicy: 'frozen',
    answers: 'promise',
    codec: null,
    chunkCodec: CHUNK_CODEC,
    errors: [],
    ...(kind === 'llm' ? { usage: usageOfAnswer } : {}),
  };
}

function checkExchange(answer: unknown, { name }: Subject): Exchange {
  if (isExchange(answer)) return answer;
  const advice = 'it was recorded by something else than a fetch; record the run again';
  throw new StepforkError('unservable', `the recorded answer of '${name}' is no HTTP response: ${advice}`);
}
