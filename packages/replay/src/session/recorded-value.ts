import { type Codec, describeThrown, type ErrorClass } from '@stepfork/recorder/boundary';
import {
  type BlobReader,
  findUnservable,
  fromTraceValue,
  isStepforkError,
  type Json,
  StepforkError,
} from '@stepfork/trace-format';
import { asInstances } from './error-instances.js';

/** What it takes to give recorded values back. */
export interface ValueReader {
  /** Where the recording keeps bytes that are too many to stand in it. */
  readonly blobs: BlobReader | undefined;
  /** Classes of which recorded errors are to be instances. */
  readonly errors: readonly ErrorClass[];
}

/**
 * A recorded value as it was.
 *
 * @param what it is, for a person: `output`
 * @param remedy by which option of its function the value could have been recorded
 * @throws StepforkError `unservable`
 */
export function revive(json: Json, what: string, { blobs, errors }: ValueReader, remedy = 'codec'): unknown {
  const path = findUnservable(json);
  if (path !== null) {
    const place = `a placeholder at ${withoutRoot(path)}`;
    throw unservable(`the recorded ${what} holds ${place}; give the function a ${remedy} and record again`);
  }
  let value: unknown;
  try {
    value = fromTraceValue(json, { blobs });
  } catch (cause) {
    throw unservable(`the recorded ${what} cannot be rebuilt: ${isStepforkError(cause) ? cause.message : ''}`, cause);
  }
  asInstances(value, json, errors);
  return value;
}

/** @throws StepforkError `unservable` */
export function decode(data: unknown, what: string, codec: Codec | null): unknown {
  if (codec === null) return data;
  try {
    return codec.decode(data);
  } catch (cause) {
    throw unservable(`its codec could not decode the recorded ${what}: ${describeThrown(cause).message}`, cause);
  }
}

export function unservable(reason: string, cause?: unknown): StepforkError {
  return new StepforkError('unservable', reason, cause === undefined ? {} : { cause });
}

/** `items[0].close`, as differences name places, for `$.items[0].close`. */
export function withoutRoot(path: string): string {
  return path === '$' ? path : path.replace(/^\$\.?/, '');
}
