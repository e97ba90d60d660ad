import type { RedactionEntry } from '../bundle/documents.js';
import type { TraceEvent } from '../event.js';
import type { Json } from '../json.js';
import type { Manifest } from '../manifest.js';

/** A value that was read, or one line saying why not. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** How one schema version is read. Each version has a room of its own beside this file. */
export interface BundleSchema {
  readonly version: string;
  readonly manifest: (json: Json) => Parsed<Manifest>;
  readonly event: (json: Json) => Parsed<TraceEvent>;
  /** An event that stands there as a writer puts it, itself; null for any other, which `event` decides on. */
  readonly writtenEvent: (json: Json) => TraceEvent | null;
  readonly redactions: (json: Json) => Parsed<readonly RedactionEntry[]>;
}
