import timers from 'node:timers';
import { anyResponse } from '@stepfork/recorder/fetch';
import { type Beside, withBeside } from './beside.js';
import { isUnknown, type Said } from './unpacked.js';

/** As they were when the module was loaded: a test runner may replace them. */
const { clearTimeout, setImmediate, setTimeout } = timers;

/** For so long a document or a text is waited for, so that it is recorded as the one that it is: its next piece, and all. */
const PATIENCE_MS = { piece: 50, all: 250 };

/** What an answer begins with. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
}

type Saying = AsyncIterator<Said, void, undefined>;
type Step = Promise<IteratorResult<Said, void>>;

/**
 * The answer as a `fetch` would have given it. A document or a text is read before it is given, where it comes at once,
 * and else as it comes.
 *
 * @param saying what its body says; null for no body
 * @param isStopped settles when nobody wants it any more
 * @param given told of what was recorded, and can be given to the program
 */
export async function liveAnswer(
  head: AnswerHead,
  beside: Beside,
  saying: Saying | null,
  isStopped: Promise<void>,
  given: (said: Said) => void,
): Promise<Response> {
  if (saying === null) return answerOf(null, head, beside, false);
  const encodings = head.headers.get('content-encoding');
  const isKnown = !isUnknown(encodings);
  const steps: Step[] = [];
  if (isReadWhole(head)) {
    const whole = await wholeOf(saying, steps, isStopped, isKnown);
    if (whole !== null) return answerOf(whole.bytes, head, Object.assign(beside, { isPacked: whole.isPacked }), false);
  } else if (encodings !== null && isKnown) {
    // Whether that is so, its first piece tells.
    steps.push(saying.next());
  }
  const isPacked = !isKnown || (await isFailing(steps));
  return answerOf(streamOf(steps, saying, isPacked, given), head, Object.assign(beside, { isPacked }), true);
}

/** Whether what has come of a body, and was to be unpacked, could not be. */
async function isFailing([first]: readonly Step[]): Promise<boolean> {
  if (first === undefined) return false;
  const quiet = after(PATIENCE_MS.piece);
  const came = await Promise.race([first, quiet.passed]).catch(() => undefined);
  quiet.clear();
  return came !== undefined && came.done !== true && came.value.failed !== null;
}

function answerOf(
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
  { status, statusText, headers }: AnswerHead,
  beside: Beside,
  isStreamed: boolean,
): Response {
  const response = anyResponse(body, { status, statusText, headers });
  return withBeside(response, Object.assign(beside, { isStreamed }));
}

/** Whatever tells of an error, and what `fetch` waits for, too. */
function isReadWhole({ status, headers }: AnswerHead): boolean {
  const type = headers.get('content-type') ?? 'text/';
  if (status >= 400 || /^application\/(.+\+)?json/i.test(type)) return true;
  // A text of no known length is one that is being written.
  return (
    /^text\/(?!event-stream)/i.test(type) &&
    (headers.get('content-length') !== null || /charset\s*=\s*"?utf-?16/i.test(type))
  );
}

/** All of a body, unpacked, or as it came where that could not be. */
interface Whole {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isPacked: boolean;
}

/**
 * All of a body; null for one that does not come at once, that breaks off, or that nobody wants any more.
 *
 * @param steps has then what was asked of it
 * @param isKnown whether it is packed by what can be unpacked
 */
async function wholeOf(
  saying: Saying,
  steps: Step[],
  isStopped: Promise<void>,
  isKnown: boolean,
): Promise<Whole | null> {
  const tooLong = after(PATIENCE_MS.all);
  const stopped = Promise.race([isStopped, tooLong.passed]);
  const said: Said[] = [];
  try {
    for (;;) {
      const step = saying.next();
      steps.push(step);
      const quiet = after(PATIENCE_MS.piece);
      const came = await Promise.race([step, stopped, quiet.passed]).catch(() => undefined);
      quiet.clear();
      if (came === undefined) return null;
      if (came.done === true) return joined(said, isKnown);
      said.push(came.value);
    }
  } finally {
    tooLong.clear();
  }
}

function joined(said: readonly Said[], isKnown: boolean): Whole {
  const isPacked = !isKnown || said.some(({ failed }) => failed !== null);
  const pieces = said.map(({ bytes, piece }) => (isPacked ? (piece?.bytes ?? new Uint8Array()) : bytes));
  return { bytes: Uint8Array.from(Buffer.concat(pieces)), isPacked };
}

/** A time in which all counts as come that is there at its end, though the process was busy. */
function after(ms: number): { readonly passed: Promise<void>; readonly clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(() => setImmediate(resolve)), ms);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

/** Asks for nothing that its reader does not ask for: so what was read has been recorded when more is asked for. */
function streamOf(
  steps: Step[],
  saying: Saying,
  isPacked: boolean,
  given: (said: Said) => void,
): ReadableStream<Uint8Array> {
  let last: Said | null = null;
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          if (last !== null) given(last);
          const { done, value } = await (steps.shift() ?? saying.next());
          if (done === true) {
            controller.close();
            return;
          }
          // What was said of it already was unpacked.
          if (value.failed !== null && !isPacked) throw value.failed;
          last = value;
          if (value.bytes.length > 0) {
            controller.enqueue(value.bytes);
            return;
          }
        }
      },
    },
    { highWaterMark: 0 },
  );
}
