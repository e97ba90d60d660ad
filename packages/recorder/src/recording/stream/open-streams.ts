import { watchIfStream } from '../../boundary/stream/watch-stream.js';
import type { EventLog } from '../event-log.js';
import { type StreamedCall, StreamRecorder, type Write, type WriteSoon } from './stream-recorder.js';

/** The streams that the calls of one run were answered with and that are not over. */
export class OpenStreams {
  readonly #write: Write;
  readonly #soon: WriteSoon;
  readonly #onOver: (streamed: StreamedCall) => void;
  readonly #open = new Set<StreamRecorder>();

  /** @param onOver told when a stream is over and its call has its outcome */
  constructor(write: Write, soon: WriteSoon, onOver: (streamed: StreamedCall) => void) {
    this.#write = write;
    this.#soon = soon;
    this.#onOver = onOver;
  }

  /**
   * Records what a call returned as a stream.
   *
   * @returns what the caller is to be given; null for a value that is no stream, or none that can be watched
   */
  answer(streamed: StreamedCall, value: unknown): object | null {
    if (streamed.call.codec !== null) return null;
    const recorder = new StreamRecorder(streamed, this.#write, this.#soon, (over) => {
      this.#open.delete(over);
      this.#onOver(streamed);
    });
    // What a promise comes to is given to its caller as it is.
    const watched = watchIfStream(value, recorder, streamed.answered === 'promise');
    if (watched === null) return null;
    this.#open.add(recorder);
    recorder.opened(watched.kind, watched.stream);
    return watched.stream;
  }

  /** The run is over. */
  end(log: EventLog): void {
    for (const recorder of this.#open) recorder.leftOpen(log);
    this.#open.clear();
  }
}
