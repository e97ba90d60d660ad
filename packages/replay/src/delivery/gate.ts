import type { PlannedCall } from '../plan/planned-call.js';

/** A start or an end in the recorded log. */
export interface LogEntry {
  readonly call: PlannedCall;
  readonly edge: 'start' | 'end';
  readonly position: number;
  readonly time: number;
}

/** In which order held outcomes may go: as recorded, or (after a divergence, or where order is no matter) any. */
export type GateOrder = 'recorded' | 'any';

/**
 * The recorded log, and how far this replay has come in it. An outcome may be delivered once every visible start
 * and end before it has happened, so at any time there is at most one.
 */
export class Gate {
  readonly #log: readonly LogEntry[];
  readonly #state: Uint8Array;
  readonly #indexOf = new Map<PlannedCall, { readonly start: number; readonly end: number | null }>();
  /** Started, with an outcome that is still to be delivered. */
  readonly #held = new Set<PlannedCall>();
  #cursor = 0;
  #order: GateOrder;

  constructor(calls: readonly PlannedCall[], order: GateOrder) {
    this.#log = logOf(calls);
    this.#state = new Uint8Array(this.#log.length);
    this.#order = order;
    this.#log.forEach((entry, index) => {
      if (entry.call.hidden) this.#state[index] = HIDDEN;
      const known = this.#indexOf.get(entry.call);
      if (entry.edge === 'start') this.#indexOf.set(entry.call, { start: index, end: null });
      else this.#indexOf.set(entry.call, { start: known?.start ?? index, end: index });
    });
  }

  /** The call was made. A hidden one is visible from now on. */
  start(call: PlannedCall): void {
    const at = this.#at(call);
    this.#state[at.start] = HAPPENED;
    if (at.end === null) return;
    if (this.#state[at.end] === HIDDEN) this.#reveal(at.end);
    this.#held.add(call);
  }

  /** Its outcome was delivered. */
  end(call: PlannedCall): void {
    const { end } = this.#at(call);
    if (end !== null) this.#state[end] = HAPPENED;
    this.#held.delete(call);
  }

  /** From now on held outcomes go in recorded order, whatever has not happened. */
  open(): void {
    this.#order = 'any';
  }

  /** Whether outcomes wait for their place in the log. */
  get isOrdered(): boolean {
    return this.#order === 'recorded';
  }

  /** The first visible start or end that has not happened in this replay. */
  next(): LogEntry | null {
    while (this.#cursor < this.#log.length && this.#state[this.#cursor] !== AWAITED) this.#cursor++;
    return this.#log[this.#cursor] ?? null;
  }

  /** The call whose outcome is to be delivered next, if one may be. */
  deliverable(): PlannedCall | null {
    if (this.#order === 'any') return this.#earliestHeld();
    const next = this.next();
    return next?.edge === 'end' && this.#held.has(next.call) ? next.call : null;
  }

  /** Calls whose outcome is held, in the order in which they came. */
  get held(): readonly PlannedCall[] {
    return [...this.#held];
  }

  /** Whether everything that the recording has before this call's start has happened. */
  isDue(call: PlannedCall): boolean {
    const next = this.next();
    return next === null || next.position >= call.start.position;
  }

  #earliestHeld(): PlannedCall | null {
    let earliest: PlannedCall | null = null;
    for (const call of this.#held) {
      if (earliest === null || endOf(call) < endOf(earliest)) earliest = call;
    }
    return earliest;
  }

  #reveal(index: number): void {
    this.#state[index] = AWAITED;
    this.#cursor = Math.min(this.#cursor, index);
  }

  #at(call: PlannedCall): { readonly start: number; readonly end: number | null } {
    return this.#indexOf.get(call) as { readonly start: number; readonly end: number | null };
  }
}

const AWAITED = 0;
const HAPPENED = 1;
const HIDDEN = 2;

function endOf(call: PlannedCall): number {
  return call.end?.position ?? Number.POSITIVE_INFINITY;
}

function logOf(calls: readonly PlannedCall[]): readonly LogEntry[] {
  const log: LogEntry[] = [];
  for (const call of calls) {
    log.push({ call, edge: 'start', ...call.start });
    if (call.end !== null) log.push({ call, edge: 'end', ...call.end });
  }
  return log.sort((a, b) => a.position - b.position);
}
