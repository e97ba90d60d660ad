import { type Codec, describeThrown } from '@stepfork/recorder/boundary';
import {
  findUnservable,
  fromTraceValue,
  isJsonObject,
  isStepforkError,
  type Json,
  StepforkError,
  type ThrewOutcome,
} from '@stepfork/trace-format';
import type { PlannedCall } from '../plan/planned-call.js';
import { withoutPlaceholders } from './servable-error.js';
import { damageOf } from './stored-hash.js';

/** What a recorded call's caller is given. */
export type Answer =
  | { readonly type: 'returned'; readonly value: unknown }
  | { readonly type: 'threw'; readonly thrown: unknown; readonly lost: readonly string[] }
  /** The recording has no outcome. */
  | { readonly type: 'pending' };

/**
 * The recorded outcome as the live function would have given it.
 *
 * @throws StepforkError `unservable` where the recording does not hold all of it, or it cannot be rebuilt
 */
export function reviveOutcome({ event, outcome }: PlannedCall, codec: Codec | null): Answer {
  const damage = damageOf(event) ?? (outcome === null ? null : damageOf(outcome.event));
  if (damage !== null) throw unservable(damage);
  if (outcome === null) return { type: 'pending' };
  return outcome.type === 'returned'
    ? { type: 'returned', value: reviveOutput(outcome.output, codec) }
    : { type: 'threw', ...reviveThrown(outcome) };
}

function reviveOutput(output: Json, codec: Codec | null): unknown {
  const data = revive(output, 'output');
  if (codec === null) return data;
  try {
    return codec.decode(data);
  } catch (cause) {
    throw unservable(`its codec could not decode the recorded output: ${describeThrown(cause).message}`, cause);
  }
}

/** Our recorder's details are what was thrown; the Python original's say more about an error, and are added to it. */
function reviveThrown(outcome: ThrewOutcome): { readonly thrown: unknown; readonly lost: readonly string[] } {
  const { errorType, message } = outcome;
  if (isErrorTag(outcome.details)) {
    const { details, lost } = withoutPlaceholders(outcome.details);
    return { thrown: revive(details, 'error'), lost };
  }
  const detail = revive(outcome.details ?? null, 'error details');
  if (isCalled(detail, errorType, message)) return { thrown: detail, lost: [] };
  const error = fromTraceValue({ $stepfork: 'error', name: errorType, message }) as object;
  return { thrown: outcome.details === undefined ? error : Object.assign(error, { details: detail }), lost: [] };
}

/** Whether a recorder would have called `thrown` this. */
function isCalled(thrown: unknown, type: string, message: string): boolean {
  const called = describeThrown(thrown);
  return called.type === type && called.message === message;
}

function isErrorTag(details: Json | undefined): details is Json {
  return isJsonObject(details) && Object.hasOwn(details, '$stepfork') && details.$stepfork === 'error';
}

function revive(json: Json, what: string): unknown {
  const path = findUnservable(json);
  if (path !== null) {
    throw unservable(`the recorded ${what} holds a placeholder at ${path}; give the function a codec and record again`);
  }
  try {
    return fromTraceValue(json);
  } catch (cause) {
    throw unservable(`the recorded ${what} cannot be rebuilt: ${isStepforkError(cause) ? cause.message : ''}`, cause);
  }
}

function unservable(reason: string, cause?: unknown): StepforkError {
  return new StepforkError('unservable', reason, cause === undefined ? {} : { cause });
}
