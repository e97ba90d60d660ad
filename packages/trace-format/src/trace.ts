import type { BlobReader } from './blobs.js';
import type { TraceEvent } from './event.js';
import type { Manifest } from './manifest.js';
import type { RuntimeRecord } from './runtime.js';

/** One agent run: the manifest's fields, and its events in file order, all under the format's own names. */
export interface Trace extends Manifest {
  readonly events: readonly TraceEvent[];
  /** What schema 0.1 has no field for (runtime.jsonl), in file order; empty for a bundle that has none. */
  readonly runtime: readonly RuntimeRecord[];
  /** Bytes that were too many to stand in an event; there when the bundle has such. */
  readonly blobs?: BlobReader;
}
