import type { Trace } from '../trace.js';
import { BundleBlobs } from './bundle-blobs.js';
import { readManifest, readRedactions } from './documents-reader.js';
import { bundleEvents, type LineEvent } from './events-reader.js';
import { FullEvents } from './full-events.js';
import { restoreKeyOrder } from './key-order.js';
import { openBundleMembers } from './open-members.js';
import { runtimeRecords } from './runtime-reader.js';

/**
 * Reads a bundle, a directory or a packed one: everything that schema 0.1 allows, as generously as the original reads
 * it. Neither hashes nor integrity are looked at; `validateBundle` does that.
 *
 * @throws StepforkError `missing_bundle`, `not_a_bundle`, `missing_file`, `invalid_json`, `unsupported_schema`,
 * `invalid_manifest`, `invalid_event`, `unresolved_repeat`, `invalid_runtime`, `invalid_pack`, `event_too_large`, `read_failed`; `details`
 * names the file, and the line in one that has lines. The first fault is reported.
 */
export function loadTrace(path: string): Trace {
  const members = openBundleMembers(path);
  const { manifest, schema } = readManifest(members);
  const read = [...bundleEvents(members, schema)];
  readRedactions(members);
  const runtime = [...runtimeRecords(members)];
  const blobs = members.blobs().length > 0 ? { blobs: new BundleBlobs(members) } : {};
  const ordered = restoreKeyOrder(
    read.map(({ event }) => event),
    runtime,
  );
  const full = new FullEvents();
  const events = ordered.events.map((event, index) => full.next({ ...(read[index] as LineEvent), event }));
  return { ...manifest, events, runtime: ordered.runtime, ...blobs };
}
