import { record } from '@stepfork/recorder';
import { type BoundaryCall, type BoundaryHandler, HANDLER_VERSION, slot } from '@stepfork/recorder/boundary';
import { fromTraceValue, loadTrace, pairCalls, type RecordedCall, streamOf } from '@stepfork/trace-format';
import { isEqual, orHang, type Trial, wrongAnswers } from './trial.js';
import { createWorld, keyOf } from './world.js';

/** How a simple replayer finds the answer to a call; it gives it at once. */
export type Finder = (untaken: readonly RecordedCall[], call: BoundaryCall) => RecordedCall | undefined;

/** A cassette: the next answer, whatever was asked. */
export const nthCall: Finder = ([next]) => next;

/** The first answer that was recorded for the same function and input. */
export const sameKey: Finder = (untaken, call) =>
  untaken.find(({ name, input }) => keyOf(name, input) === keyOf(call.name, call.input));

const HANG_MS = 500;

/** Whether a replayer of that kind replays an unchanged program as it was recorded. */
export async function isRight(trial: Trial, find: Finder): Promise<boolean> {
  const cassette = new Cassette(trial.path, find);
  const world = createWorld(() => 0);
  const frame = { handler: cassette, call: null, parent: null };
  const run = slot().frames.run(frame, () => record('agent', () => world.run(trial.candidate)));
  const outcome = await orHang(
    run.then(
      (output) => ({ output }),
      () => ({ output: null }),
    ),
    HANG_MS,
  );
  if (outcome === null || cassette.isReported) return false;
  return wrongAnswers(trial.recorded, world).length === 0 && isEqual(outcome.output, trial.output);
}

class Cassette implements BoundaryHandler {
  readonly version = HANDLER_VERSION;
  readonly mode = 'replay';
  readonly active = true;
  readonly #untaken: RecordedCall[];
  readonly #find: Finder;
  #missed = false;

  constructor(path: string, find: Finder) {
    this.#untaken = pairCalls(loadTrace(path).events).filter(({ frame }) => frame === null);
    this.#find = find;
  }

  get isReported(): boolean {
    return this.#missed || this.#untaken.length > 0;
  }

  innerRun() {
    return { runId: 'cassette', settled: () => {} };
  }

  dispatch(call: BoundaryCall): unknown {
    const found = this.#find(this.#untaken, call);
    if (found === undefined) {
      this.#missed = true;
      throw new Error('no recorded answer');
    }
    this.#untaken.splice(this.#untaken.indexOf(found), 1);
    if (found.outcome?.type === 'returned') {
      const stream = streamOf(found.outcome.output);
      if (stream !== null) return streamed(stream.chunks.map((chunk) => fromTraceValue(chunk)));
    }
    return call.name.startsWith('sync') ? answerNow(found) : answerLater(found);
  }
}

async function* streamed(chunks: readonly unknown[]): AsyncGenerator<unknown, void, void> {
  yield* chunks;
}

function answerNow({ outcome }: RecordedCall): unknown {
  if (outcome?.type === 'threw') throw fromTraceValue(outcome.details ?? null);
  return outcome === null ? undefined : fromTraceValue(outcome.output);
}

function answerLater(call: RecordedCall): Promise<unknown> {
  if (call.outcome === null) return new Promise(() => {});
  const answer = (async () => answerNow(call))();
  // Whoever expects a stream does not await it.
  answer.catch(() => {});
  return answer;
}
