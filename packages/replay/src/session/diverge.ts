import { displayText, isJsonObject, type Json, tagOf } from '@stepfork/trace-format';
import { isSameFunction, type OrderPolicy } from '../match/find-match.js';
import type { PlannedCall } from '../plan/planned-call.js';
import type { PlannedAct } from '../plan/planned-stream.js';
import { bothValues } from '../report/both-values.js';
import { labelOf, titleOf, viewOf } from '../report/call-view.js';
import { differencesOf, MOST_DIFFERENCES } from '../report/differences.js';
import { previewPair } from '../report/preview-pair.js';
import type { Difference, Divergence, DivergenceCode } from '../report.js';
import { callSite } from './call-site.js';
import type { LiveCall } from './live-call.js';

const LONGEST_VALUE = 80;
/** Leftovers that are named one by one. */
const MOST_NAMED = 5;
/** Untaken recordings of the same function that are looked at for the nearest one. */
const MOST_COMPARED = 50;

/** A live call that no recorded one matches: the nearest recording that was still to come says why. */
export function unmatched(live: LiveCall, untaken: readonly PlannedCall[], order: OrderPolicy): Divergence {
  if (order === 'strict') return notNext(live, untaken);
  const sameFunction = untaken.filter((call) => isSameFunction(call, live)).slice(0, MOST_COMPARED);
  const cut = sameFunction.find(({ input }) => isCut(input));
  if (cut !== undefined) return refused('unservable', live, cut, CUT_INPUT);
  const nearest = nearestTo(live, sameFunction);
  if (nearest !== null) return otherInput('input_changed', live, nearest);
  return inPlaceOf(untaken[0] ?? null, live);
}

const CUT_INPUT =
  "cannot be compared: the recording holds no input of this size; raise limits.payloadBytes, or make a smaller input by the tool's option input, and record again";

/** Whether a limit of the recorder's left only a mark of a payload. */
function isCut(input: Json): boolean {
  return isJsonObject(input) && tagOf(input) === 'cut';
}

/** Under a strict order there is one call that may come. */
function notNext(live: LiveCall, untaken: readonly PlannedCall[]): Divergence {
  const [next = null] = untaken;
  if (next === null) return inPlaceOf(null, live);
  if (untaken.some((call) => call.fingerprint === live.fingerprint)) return reordered(live, next);
  const nearest = isSameFunction(next, live) ? nearestTo(live, [next]) : null;
  return nearest === null ? inPlaceOf(next, live) : otherInput('input_changed', live, nearest);
}

function inPlaceOf(expected: PlannedCall | null, live: LiveCall): Divergence {
  const reason =
    expected === null
      ? `${labelOf(live)} was called, but the recording holds no further call`
      : insteadOf(expected, live);
  return divergence('unexpected_call', live, expected, reason);
}

function otherInput(code: DivergenceCode, live: LiveCall, { call, differences }: Near): Divergence {
  const [first] = differences;
  const others = differences.length > 1 ? `, and ${differences.length - 1} more` : '';
  const where =
    first === undefined ? '' : `: at '${displayText(first.path)}' ${bothValues(first, LONGEST_VALUE)}${others}`;
  const reason = `${labelOf(live)} was called with another input${where}`;
  return { ...divergence(code, live, call, reason), differences: differences.slice(0, MOST_DIFFERENCES) };
}

/** A call that came before one that the recording has before it. */
export function reordered(live: LiveCall, expected: PlannedCall): Divergence {
  if (isSameFunction(expected, live)) {
    return otherInput('reordered', live, {
      call: expected,
      differences: differencesOf(expected.compared, live.compared),
    });
  }
  return divergence('reordered', live, expected, insteadOf(expected, live));
}

/** Nothing moves: outcomes are held for a recorded call that does not come, and none came instead. */
export function neverCame(expected: PlannedCall, waiting: PlannedCall | null, position: number): Divergence {
  const alike = waiting !== null && isSameFunction(expected, waiting);
  const [one, other] = alike ? previewPair(expected.input, waiting.input, LONGEST_VALUE) : [];
  const held = waiting === null ? '' : ` while ${withInput(waiting, other)} was going on`;
  const message = `call #${position}: expected ${withInput(expected, one)}${held}, but no call came`;
  return withoutCall('reordered', expected, position, message);
}

function withInput(call: PlannedCall, preview: string | undefined): string {
  return preview === undefined ? labelOf(call) : `${labelOf(call)} with ${preview}`;
}

/** The run is over, and these recorded calls were not made. */
export function missing(leftovers: readonly [PlannedCall, ...PlannedCall[]], position: number): Divergence {
  const [first, ...others] = leftovers;
  const named = others.slice(0, MOST_NAMED - 1).map((call) => `#${call.index + 1} ${labelOf(call)}`);
  const rest = others.length - named.length;
  if (rest > 0) named.push(`${rest} more`);
  const also = named.length === 0 ? '' : `, nor did ${listed(named)}`;
  return withoutCall(
    'missing_call',
    first,
    position,
    `recorded call #${first.index + 1} ${labelOf(first)} never came${also}`,
  );
}

/** Why a recorded call that matches does not answer. */
export type Refusal = Extract<DivergenceCode, 'ambiguous' | 'policy' | 'unservable'>;

/** A call that must not be made, or that matches a recorded one which must not or cannot answer it. */
export function refused(code: Refusal, live: LiveCall, recorded: PlannedCall | null, reason: string): Divergence {
  return divergence(code, live, recorded, `${labelOf(live)} ${displayText(reason)}`);
}

/** A stream was read on where the recording cancelled it, or asked at once for what the recording does not hold. */
export function readPast(end: 'cancelled' | 'cut', live: LiveCall, recorded: PlannedCall, chunk: number): Divergence {
  const place = chunk === 0 ? 'before its first chunk' : `after chunk ${chunk}`;
  if (end === 'cancelled') {
    const reason = `asked for chunk ${chunk + 1}, but the recording cancelled the stream ${place}`;
    return divergence('past_cancellation', live, recorded, `${labelOf(live)} was ${reason}`);
  }
  const reason = `was asked for chunk ${chunk + 1}, but the recording ends ${place}`;
  return refused(
    'unservable',
    live,
    recorded,
    `${reason}, and a generator that answers at once cannot be left waiting`,
  );
}

/** The consumer of a generator asked for a chunk in another way than in the recording, or gave something else for it. */
export function askedOther(live: LiveCall, recorded: PlannedCall, chunk: number, acts: Acts): Divergence {
  const { by } = acts.actual;
  const isSameWay = by === acts.recorded.by;
  const differences = isSameWay
    ? differencesOf(acts.recorded.value, acts.actual.value)
    : differencesOf(wayOf(acts.recorded), wayOf(acts.actual));
  const [first] = differences;
  const where =
    !isSameWay || first === undefined ? '' : `: at '${displayText(first.path)}' ${bothValues(first, LONGEST_VALUE)}`;
  const place = `chunk ${chunk + 1}`;
  const reason = isSameWay
    ? `${OTHER_VALUE[by]} for ${place}${where}`
    : `${WAYS[by]} for ${place}, where the recording ${RECORDED_WAYS[acts.recorded.by]}`;
  const sticking = divergence('input_changed', live, recorded, `${labelOf(live)} ${reason}`);
  return { ...sticking, differences: differences.slice(0, MOST_DIFFERENCES) };
}

const OTHER_VALUE = {
  next: 'was sent another value',
  throw: 'had another value thrown into it',
  return: 'was closed with another value',
} as const;
const WAYS = { next: 'was read on', throw: 'was thrown into', return: 'was closed' } as const;
const RECORDED_WAYS = { next: 'reads on', throw: 'throws into it', return: 'closes it' } as const;

function wayOf({ by, value }: PlannedAct): Json {
  return { by, value };
}

/** How a chunk was asked for, and what was given for it, redacted. */
export interface Acts {
  readonly recorded: PlannedAct;
  readonly actual: PlannedAct;
}

function divergence(code: DivergenceCode, live: LiveCall, recorded: PlannedCall | null, reason: string): Divergence {
  return {
    code,
    position: live.number,
    kind: live.kind,
    name: live.name,
    recorded: recorded === null ? null : viewOf(recorded, recorded.index),
    actual: viewOf(live, null),
    differences: [],
    callSite: callSite(live.stack),
    message: `call #${live.number}: ${reason}`,
  };
}

function withoutCall(code: DivergenceCode, expected: PlannedCall, position: number, message: string): Divergence {
  return {
    code,
    position,
    kind: expected.kind,
    name: expected.name,
    recorded: viewOf(expected, expected.index),
    actual: null,
    differences: [],
    callSite: null,
    message,
  };
}

function insteadOf(expected: PlannedCall, live: LiveCall): string {
  const came = expected.kind === live.kind ? `'${titleOf(live)}'` : labelOf(live);
  return `expected ${labelOf(expected)} but the agent called ${came}`;
}

interface Near {
  readonly call: PlannedCall;
  readonly differences: readonly Difference[];
}

function nearestTo(live: LiveCall, calls: readonly PlannedCall[]): Near | null {
  let nearest: Near | null = null;
  for (const call of calls) {
    const differences = differencesOf(call.compared, live.compared);
    if (nearest === null || differences.length < nearest.differences.length) nearest = { call, differences };
  }
  return nearest;
}

/** `a`, `a and b`, `a, b and c`. */
function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
