import { type BoundaryCall, describeThrown } from '@stepfork/recorder/boundary';
import { type BlobReader, isJsonObject, type Json, type ThrewOutcome } from '@stepfork/trace-format';
import type { PlannedCall } from '../plan/planned-call.js';
import { decode, revive, unservable, type ValueReader } from './recorded-value.js';
import { withoutPlaceholders } from './servable-error.js';
import { damageOf } from './stored-hash.js';
import { reviveStream } from './streams/revive-stream.js';
import type { StreamContent } from './streams/stream-content.js';

/** What a recorded call's caller is given. */
export type Answer =
  | { readonly type: 'returned'; readonly value: unknown }
  | { readonly type: 'threw'; readonly thrown: unknown; readonly lost: readonly string[] }
  | { readonly type: 'streamed'; readonly content: StreamContent; readonly lost: readonly string[] }
  /** The recording has no outcome. */
  | { readonly type: 'pending' };

/** What of the live call says how its recorded answer is to be given. */
export type Receiver = Pick<BoundaryCall, 'answers' | 'codec' | 'chunkCodec' | 'errors'>;

/**
 * The recorded outcome as the live function would have given it.
 *
 * @throws StepforkError `unservable` where the recording does not hold all of it, or it cannot be rebuilt
 */
export function reviveOutcome(recorded: PlannedCall, receiver: Receiver, blobs: BlobReader | undefined): Answer {
  const { event, outcome, stream } = recorded;
  const damage = damageOf(event) ?? (outcome === null ? null : damageOf(outcome.event));
  if (damage !== null) throw unservable(damage);
  const reader = { blobs, errors: receiver.errors };
  const threw = outcome?.type === 'threw' ? reviveThrown(outcome, reader) : null;
  if (stream !== null) {
    const content = reviveStream(stream, threw?.thrown, receiver, reader);
    return { type: 'streamed', content, lost: threw?.lost ?? [] };
  }
  if (outcome === null) return { type: 'pending' };
  if (outcome.type === 'threw') return { type: 'threw', thrown: threw?.thrown, lost: threw?.lost ?? [] };
  if (isGenerator(receiver)) throw unservable('the recorded output is no stream, and the function is a generator');
  return { type: 'returned', value: decode(revive(outcome.output, 'output', reader), 'output', receiver.codec) };
}

function isGenerator({ answers }: Receiver): boolean {
  return answers === 'generator' || answers === 'async-generator';
}

interface RevivedError {
  readonly thrown: unknown;
  readonly lost: readonly string[];
}

/** Our recorder's details are what was thrown; the Python original's say more about an error, and are added to it. */
function reviveThrown(outcome: ThrewOutcome, reader: ValueReader): RevivedError {
  const { errorType, message } = outcome;
  if (isErrorTag(outcome.details)) {
    const { details, lost } = withoutPlaceholders(outcome.details);
    return { thrown: revive(details, 'error', reader), lost };
  }
  const detail = revive(outcome.details ?? null, 'error details', reader);
  if (isCalled(detail, errorType, message)) return { thrown: detail, lost: [] };
  const error = revive({ $stepfork: 'error', name: errorType, message }, 'error', reader) as object;
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
