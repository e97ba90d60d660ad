import type { PlannedCall } from '../plan/planned-call.js';
import { type CallEntries, entriesOf, isActOfAgent, type LogEntry } from './recorded-log.js';

/** In which order what is held may go: as recorded, or (after a divergence, or where order is no matter) any. */
export type GateOrder = 'recorded' | 'any';

/**
 * The recorded log, and how far this replay has come in it. Something may be delivered once all before it that
 * counts has happened, so at any time there is at most one such thing. Visible calls and their outcomes count; chunks
 * and the end of a stream do from the moment at which somebody reads it.
 */
export class Gate {
  readonly #log: readonly LogEntry[];
  readonly #state: Uint8Array;
  readonly #indexOf = new Map<LogEntry, number>();
  readonly #entriesOf = new Map<PlannedCall, CallEntries>();
  /** Asked for, and still to be delivered. */
  readonly #held = new Set<LogEntry>();
  /** Started, with an outcome that has not come. */
  readonly #going = new Set<PlannedCall>();
  /** Calls whose stream is being read. */
  readonly #read = new Set<PlannedCall>();
  #cursor = 0;
  #order: GateOrder;

  constructor(calls: readonly PlannedCall[], order: GateOrder) {
    for (const call of calls) this.#entriesOf.set(call, entriesOf(call));
    this.#log = [...this.#entriesOf.values()]
      .flatMap(({ start, open, chunks, end }) => [start, open, ...chunks, end])
      .filter((entry) => entry !== null)
      .sort((a, b) => a.position - b.position);
    this.#state = new Uint8Array(this.#log.length);
    this.#order = order;
    this.#log.forEach((entry, index) => {
      this.#indexOf.set(entry, index);
      if (entry.call.hidden || isOnlyForReaders(entry)) this.#state[index] = UNCOUNTED;
    });
  }

  /** The call's places in the log. */
  of(call: PlannedCall): CallEntries {
    return this.#entriesOf.get(call) as CallEntries;
  }

  /**
   * The call was made. A hidden one is visible from now on.
   *
   * @param isReal its body runs: its outcome comes by itself and is not delivered
   */
  start(call: PlannedCall, isReal = false): void {
    const { start, open, end } = this.of(call);
    this.#mark(start, HAPPENED);
    if (open !== null) this.#count(open);
    if (end === null) return;
    this.#going.add(call);
    if (!isOnlyForReaders(end)) this.#count(end);
    if (open === null && !isReal) this.#held.add(end);
  }

  /** The calls that the body of this one made are visible from now on: it really runs. */
  reveal(call: PlannedCall): void {
    for (const [inner, { start, open, end }] of this.#entriesOf) {
      if (inner.frame !== call.index || inner.manual) continue;
      this.#count(start);
      if (open !== null) this.#count(open);
      if (end !== null && !isOnlyForReaders(end)) this.#count(end);
    }
  }

  /** Somebody waits for it: an answer's caller, or whoever reads a stream. */
  ask(entry: LogEntry): void {
    this.#held.add(entry);
    if (isOnlyForReaders(entry)) this.read(entry.call);
  }

  /** Somebody reads the stream: what comes of it counts from now on. */
  read(call: PlannedCall): void {
    if (this.#read.has(call)) return;
    this.#read.add(call);
    const { chunks, end } = this.of(call);
    for (const entry of chunks) this.#count(entry);
    if (end !== null) this.#count(end);
  }

  /** It was delivered, or the agent did it. */
  happened(entry: LogEntry): void {
    this.#mark(entry, HAPPENED);
    this.#held.delete(entry);
    if (entry.edge === 'end') this.#going.delete(entry.call);
  }

  /** Nobody reads the stream any more: what was to come of it holds nothing back, unless somebody reads it again. */
  drop(call: PlannedCall): void {
    const { chunks, end } = this.of(call);
    for (const entry of end === null ? chunks : [...chunks, end]) {
      if (this.#state[this.#at(entry)] === AWAITED) this.#mark(entry, UNCOUNTED);
      this.#held.delete(entry);
    }
    this.#read.delete(call);
    this.#going.delete(call);
  }

  /** From now on what is held goes in recorded order, whatever has not happened. */
  open(): void {
    this.#order = 'any';
  }

  /** Whether what is held waits for its place in the log. */
  get isOrdered(): boolean {
    return this.#order === 'recorded';
  }

  /** The first thing that counts and has not happened in this replay. */
  next(): LogEntry | null {
    while (this.#cursor < this.#log.length && this.#state[this.#cursor] !== AWAITED) this.#cursor++;
    return this.#log[this.#cursor] ?? null;
  }

  /** What is to be delivered next, if anything may be. */
  deliverable(): LogEntry | null {
    if (this.#order === 'any') return this.#earliestHeld();
    const next = this.next();
    return next !== null && this.#held.has(next) ? next : null;
  }

  /** Whether somebody waits for something. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  /** What somebody waits for, in the order in which it was asked for. */
  get held(): readonly LogEntry[] {
    return [...this.#held];
  }

  /** Calls that were made and whose outcome has not come, in that order. */
  get going(): readonly PlannedCall[] {
    return [...this.#going];
  }

  /** Whether everything that counts and that the recording has before this has happened. */
  isDue(entry: LogEntry): boolean {
    const next = this.next();
    return next === null || next.position >= entry.position;
  }

  #earliestHeld(): LogEntry | null {
    let earliest: LogEntry | null = null;
    for (const entry of this.#held) {
      if (earliest === null || this.#at(entry) < this.#at(earliest)) earliest = entry;
    }
    return earliest;
  }

  #count(entry: LogEntry): void {
    const index = this.#at(entry);
    if (this.#state[index] !== UNCOUNTED) return;
    this.#state[index] = AWAITED;
    this.#cursor = Math.min(this.#cursor, index);
  }

  #mark(entry: LogEntry, state: number): void {
    this.#state[this.#at(entry)] = state;
  }

  #at(entry: LogEntry): number {
    return this.#indexOf.get(entry) as number;
  }
}

const AWAITED = 0;
const HAPPENED = 1;
const UNCOUNTED = 2;

/** A stream's chunks and its own end. Its cancellation is the agent's act, and counts as a call does. */
function isOnlyForReaders(entry: LogEntry): boolean {
  return entry.call.stream !== null && (entry.edge === 'chunk' || (entry.edge === 'end' && !isActOfAgent(entry)));
}
