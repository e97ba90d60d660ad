import { type AmbiguousRecord, hashJson, type Json, type TraceEvent } from '@stepfork/trace-format/write';

/** A call that holds a secret, from when it was made until it was answered. */
interface Interval {
  readonly id: string;
  /** Hash of its input as it was, which is never written. */
  readonly raw: string;
  readonly from: number;
  until: number;
}

/** Calls that are remembered; a run with more of them is not checked beyond. */
const MOST = 10_000;

/**
 * Finds calls that a reader of the bundle cannot tell apart: the same but for what was redacted, at the same time. On
 * replay either could be given the other's answer.
 */
export class Ambiguity {
  readonly #byId = new Map<string, Interval>();
  /** By what is written of them. */
  readonly #alike = new Map<string, Interval[]>();

  /**
   * An event was written.
   *
   * @param input of a call, as it was before its secrets were taken out
   */
  wrote(written: TraceEvent, step: number, input: Json | undefined): void {
    if (written.type === 'tool_call' || written.type === 'llm_request') {
      if (written.redactions.length > 0 && input !== undefined) this.#made(written, step, input);
    } else if (written.parent_id !== null && this.#byId.size > 0) {
      const call = this.#byId.get(written.parent_id);
      if (call !== undefined && isOutcome(written)) call.until = step;
    }
  }

  records(): AmbiguousRecord[] {
    return [...this.#alike.values()]
      .flatMap(overlapping)
      .filter((calls) => new Set(calls.map(({ raw }) => raw)).size > 1)
      .map((calls) => ({ type: 'ambiguous', call_ids: calls.map(({ id }) => id) }));
  }

  #made(call: Extract<TraceEvent, { type: 'tool_call' | 'llm_request' }>, step: number, input: Json): void {
    if (this.#byId.size >= MOST) return;
    const interval: Interval = { id: call.id, raw: hashJson(input), from: step, until: Number.POSITIVE_INFINITY };
    this.#byId.set(call.id, interval);
    const name = call.type === 'tool_call' ? [call.name] : [call.provider, call.model];
    const key = JSON.stringify([call.type, ...name, hashJson(call.input)]);
    const alike = this.#alike.get(key);
    if (alike === undefined) this.#alike.set(key, [interval]);
    else alike.push(interval);
  }
}

function isOutcome({ type }: TraceEvent): boolean {
  return type === 'tool_result' || type === 'llm_response' || type === 'error';
}

/** Calls, in the order in which they were made, as groups each of which overlaps without a gap. */
function overlapping(calls: readonly Interval[]): Interval[][] {
  const groups: Interval[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const call of calls) {
    if (call.from < end) groups.at(-1)?.push(call);
    else groups.push([call]);
    end = Math.max(end, call.until);
  }
  return groups;
}
