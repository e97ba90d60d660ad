import { displayText } from '../display.js';
import { StepforkError } from '../errors.js';
import type { TraceEvent } from '../event.js';
import { carryItemMarks } from '../json/float-marks.js';
import { isJsonArray } from '../json/object.js';
import type { Json } from '../json.js';
import { MIN_REPEATED, mapRepeats, type Repeat, valueAt } from './reference.js';
import { rememberSize, sizeOf } from './size.js';
import { rememberForm } from './written-form.js';

/** A call, the only kind of event whose input may repeat an earlier one. */
export type CallEvent = Extract<TraceEvent, { type: 'llm_request' | 'tool_call' }>;

/** How many inputs of a type may still be repeated: the last ones, as far as their lines are no more than so many bytes. */
const MAX_INPUTS = 64;
/** In memory a value may take twenty times as much as its text. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The most that a bundle's inputs may come to when all that is repeated is written out, in bytes. A conversation of
 * that size cannot be worked with, and a few lines of a hostile bundle must not be able to ask for more.
 */
const MAX_WRITTEN_OUT = 2 ** 33;
/** What an item of a list that is repeated counts as. */
const ITEM_BYTES = 256;

/** An input that may be repeated. */
export interface EarlierInput {
  readonly hash: string;
  /** Of the tool; empty for a model. */
  readonly name: string;
  /** In full; only looked at when it is repeated. */
  readonly input: () => Json;
  /** Its line, without the end. */
  readonly lineBytes: number;
  /** Its line, were all that it repeats written out. */
  readonly fullBytes: number;
}

/** An event with its input in full. */
export interface FullEvent<E extends TraceEvent> {
  /** The same object as in its line, where that repeats nothing. */
  readonly event: E;
  readonly lineBytes: number;
  /** Its line, were all that it repeats written out. */
  readonly fullBytes: number;
  /** What it takes of the most that a bundle may come to. */
  readonly cost: number;
}

/** The inputs that an event of a bundle may repeat: those of the calls before it, of which a few are kept. */
export class EarlierInputs {
  readonly #models = new LastInputs();
  readonly #tools = new LastInputs();
  #writtenOut = 0;
  /** Whether one of them may name a blob. */
  haveBlobs = false;

  /** Those that a call may repeat, the last one first. */
  of(call: CallEvent): Iterable<EarlierInput> {
    return this.#inputs(call).newestFirst();
  }

  /** Whether repeating so much is within what a bundle may come to. */
  allows(size: number, items: number): boolean {
    return this.#writtenOut + costOf(size, items) <= MAX_WRITTEN_OUT;
  }

  /**
   * The next event of the bundle, with its input in full; to be given to `keep` once it is certain that it is one.
   *
   * @param event as it stands in its line
   * @param lineBytes of its line, without the end
   * @throws StepforkError `unresolved_repeat`
   */
  inFull<E extends TraceEvent>(event: E, lineBytes: number): FullEvent<E> {
    if (!isCall(event)) return { event, lineBytes, fullBytes: lineBytes, cost: 0 };
    const inputs = this.#inputs(event);
    const named = new Set<EarlierInput>();
    let items = 0;
    let size = 0;
    const input = mapRepeats(event.input, (repeat, path) => {
      const of = displayText(repeat.of);
      const found = inputs.get(repeat.of);
      if (found === undefined) throw unresolved(event, `that of ${of}, which is not among those before it`);
      if (named.add(found).size > 1) throw unresolved(event, 'those of more than one event');
      items += repeat.length ?? 0;
      const before = valueAt(found.input(), path);
      const value = repeated(repeat, before);
      if (value === undefined) throw unresolved(event, `what that of ${of} does not have`);
      size += repeatedSize(repeat, before as Json, value);
      return value;
    });
    const [earlier] = named;
    if (earlier === undefined) return { event, lineBytes, fullBytes: lineBytes, cost: 0 };
    const cost = costOf(size, items);
    if (this.#writtenOut + cost > MAX_WRITTEN_OUT) throw unresolved(event, 'more than may be written out');
    rememberForm(input, event.input, earlier.input());
    return { event: { ...event, input }, lineBytes, fullBytes: lineBytes + size, cost };
  }

  /** Keeps an event's input, for those that follow it. */
  keep({ event, lineBytes, fullBytes, cost }: FullEvent<TraceEvent>): void {
    this.#writtenOut += cost;
    if (isCall(event)) this.#add(event, lineBytes, fullBytes, () => event.input);
  }

  /**
   * The same for an event that is known to repeat nothing.
   *
   * @param input is asked for when another one repeats it
   */
  keepPlain(event: TraceEvent, lineBytes: number, input: () => Json): void {
    if (isCall(event)) this.#add(event, lineBytes, lineBytes, input);
  }

  #add(event: CallEvent, lineBytes: number, fullBytes: number, input: () => Json): void {
    // Nothing in it would be worth a repeat.
    if (event.input_hash === null || fullBytes < MIN_REPEATED) return;
    const name = event.type === 'tool_call' ? event.name : '';
    this.#inputs(event).add({ hash: event.input_hash, name, input, lineBytes, fullBytes });
  }

  #inputs({ type }: CallEvent): LastInputs {
    return type === 'llm_request' ? this.#models : this.#tools;
  }
}

/** Whether an event's input may repeat another. */
export function isCall(event: TraceEvent): event is CallEvent {
  return event.type === 'llm_request' || event.type === 'tool_call';
}

function repeated({ length, added }: Repeat, earlier: Json | undefined): Json | undefined {
  if (length === null || earlier === undefined) return earlier;
  if (!isJsonArray(earlier) || earlier.length < length) return undefined;
  const list = earlier.slice(0, length).concat(added);
  carryItemMarks(earlier, 0, list, 0, length);
  carryItemMarks(added, 0, list, length, added.length);
  return list;
}

/** What is repeated takes, when it is written out; of the whole list it is remembered, for the next that goes on from it. */
function repeatedSize({ length, added }: Repeat, earlier: Json, value: Json): number {
  if (length === null || !isJsonArray(earlier)) return sizeOf(earlier);
  const size = length === earlier.length ? sizeOf(earlier) : sizeOf(earlier.slice(0, length));
  rememberSize(value, size + sizeOf(added));
  return size;
}

function costOf(size: number, items: number): number {
  return size + items * ITEM_BYTES;
}

function unresolved({ id }: TraceEvent, what: string): StepforkError {
  return new StepforkError('unresolved_repeat', `the input of event '${displayText(id)}' repeats ${what}`, {
    details: { event_id: id },
  });
}

/** The inputs of one type of call. */
class LastInputs {
  readonly #all: EarlierInput[] = [];
  readonly #byHash = new Map<string, EarlierInput>();
  #bytes = 0;

  get(hash: string): EarlierInput | undefined {
    return this.#byHash.get(hash);
  }

  *newestFirst(): Generator<EarlierInput, void, undefined> {
    for (let i = this.#all.length - 1; i >= 0; i--) {
      const input = this.#all[i] as EarlierInput;
      // Of two with one hash, which may differ in the order of their keys, the last one is meant by it.
      if (this.#byHash.get(input.hash) === input) yield input;
    }
  }

  add(input: EarlierInput): void {
    this.#all.push(input);
    this.#byHash.set(input.hash, input);
    this.#bytes += input.lineBytes;
    while (this.#all.length > MAX_INPUTS || this.#bytes > MAX_BYTES) this.#forget(this.#all.shift() as EarlierInput);
  }

  #forget(oldest: EarlierInput): void {
    this.#bytes -= oldest.lineBytes;
    if (this.#byHash.get(oldest.hash) === oldest) this.#byHash.delete(oldest.hash);
  }
}
