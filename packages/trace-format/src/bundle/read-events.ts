import type { TraceEvent } from '../event.js';
import { readManifest } from './documents-reader.js';
import { bundleEvents } from './events-reader.js';
import { FullEvents } from './full-events.js';
import { openBundleMembers } from './open-members.js';

/**
 * The events of a bundle one at a time, for bundles that should not be in memory; the inputs of the last calls are kept,
 * since a later one may repeat them. The file is open until the iteration ends or is left.
 *
 * @throws StepforkError as `loadTrace` does, when the iteration comes to the fault
 */
export function* readEvents(path: string): Generator<TraceEvent, void, undefined> {
  const members = openBundleMembers(path);
  const { schema } = readManifest(members);
  const full = new FullEvents();
  for (const read of bundleEvents(members, schema)) yield full.next(read);
}
