import { isStepforkError, StepforkError } from '../errors.js';
import type { TraceEvent } from '../event.js';
import type { Json } from '../json.js';
import { EarlierInputs, isCall } from '../repeats/earlier-inputs.js';
import { MIN_REPEATED } from '../repeats/reference.js';
import type { LineEvent, LinePlace, ReadShape } from './events-reader.js';

/** Goes through a bundle's events, one after another, and resolves what the inputs of calls repeat. */
export class FullEvents {
  readonly #inputs = new EarlierInputs();

  /**
   * @returns the event with its input in full
   * @throws StepforkError `unresolved_repeat`, with file and line
   */
  next({ event, place, mayRepeat }: LineEvent): TraceEvent {
    if (mayRepeat) return this.#resolved(event, place);
    this.#inputs.keepPlain(event, place.bytes, () => inputOf(event));
    return event;
  }

  /** The same for whoever looks at no payload: one is only parsed where another repeats it. */
  check(read: ReadShape): void {
    if (!isCall(read.event)) return;
    if (read.mayRepeat) this.#resolved(read.exact(), read.place);
    else if (read.place.bytes >= MIN_REPEATED)
      this.#inputs.keepPlain(read.event, read.place.bytes, parsedOnce(read.exactLater()));
  }

  #resolved(event: TraceEvent, place: LinePlace): TraceEvent {
    try {
      const full = this.#inputs.inFull(event, place.bytes);
      this.#inputs.keep(full);
      return full.event;
    } catch (error) {
      throw isStepforkError(error, 'unresolved_repeat') ? at(place, error) : error;
    }
  }
}

function parsedOnce(parse: () => TraceEvent): () => Json {
  let input: Json | undefined;
  return () => {
    input ??= inputOf(parse());
    return input;
  };
}

function inputOf(event: TraceEvent): Json {
  return isCall(event) ? event.input : null;
}

function at({ file, number }: LinePlace, error: StepforkError): StepforkError {
  return new StepforkError(error.code, `${file}:${number}: ${error.message}`, {
    details: { ...error.details, file, line: number },
    cause: error,
  });
}
