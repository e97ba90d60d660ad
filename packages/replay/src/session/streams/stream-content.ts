import type { BlobReader, Json, StreamKind } from '@stepfork/trace-format';
import type { PlannedAct, StreamEnd } from '../../plan/planned-stream.js';

/** What a recorded stream gives, as the live function would have given it. */
export interface StreamContent {
  readonly kind: StreamKind;
  readonly objectMode: boolean;
  readonly chunks: readonly unknown[];
  readonly end: StreamEnd;
  /** What a generator returns. */
  readonly returned: unknown;
  /** What it throws at its end. */
  readonly thrown: unknown;
  /** How the end was asked for; null where the recording does not say it. */
  readonly endsBy: PlannedAct['by'] | null;
  /** What the consumer gave for the end is what it comes to. */
  readonly passesOn: boolean;
  /** Data of an async iterable beside its iterator, encoded; null for none. */
  readonly members: Json | null;
  /** For what of them is too large to stand in the recording. */
  readonly blobs: BlobReader | undefined;
}
