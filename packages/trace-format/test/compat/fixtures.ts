import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { addEvent, createTrace, openBundle, type RuntimeRecord, runStartEvent, sealEvent } from '../../src/index.js';
import { writeBlobsAndStreams } from '../support/blobs-and-streams.js';
import { writeConversation } from '../support/conversation.js';
import { everyEvent } from '../support/every-event.js';
import { HEADER, sealed, sealedManifest } from '../support/sealed.js';

/** The bundles under fixtures/0.1: what this release writes, kept so that later ones must read it. */
export const FIXTURES: Readonly<Record<string, (path: string) => unknown>> = {
  'every_event.sftrace': writeEveryEvent,
  'blobs_and_streams.sftrace': writeBlobsAndStreams,
  'conversation.sftrace': writeConversation,
  'empty.sftrace': writeEmpty,
  'left.00000000.partial.sftrace': writeLeftover,
};

const RECORDS: readonly RuntimeRecord[] = [
  { type: 'call', call_id: 'evt_3', answered: 'promise' },
  { type: 'placeholder', event_id: 'evt_3', path: '/input/args/1', reason: 'class Decimal' },
];

function writeEveryEvent(path: string): void {
  const trace = everyEvent();
  const writer = openBundle({ path, manifest: sealedManifest(trace), runtime: HEADER });
  for (const event of trace.events) {
    const isSecret = event.id === 'evt_8';
    writer.append(sealEvent(event, isSecret ? [{ path: '/input/api_key', reason: 'sensitive_key' }] : []));
  }
  for (const record of RECORDS) writer.appendRuntime(record);
  writer.finish(sealedManifest(trace));
}

function writeEmpty(path: string): void {
  const trace = createTrace({ agentName: 'empty', runId: 'run_0', createdAt: '2026-10-08T10:00:00Z' });
  openBundle({ path, manifest: sealedManifest(trace) }).finish(sealedManifest(trace));
}

/** As a process leaves it that was killed after its first event. */
function writeLeftover(path: string): void {
  const trace = createTrace({ agentName: 'left', runId: 'run_00000000', createdAt: '2026-10-08T10:00:00Z' });
  addEvent(trace, runStartEvent({ id: 'evt_0', timestamp: '2026-10-08T10:00:00Z', input: { q: 1 } }));
  const home = join(path, '..', 'recording');
  mkdirSync(home, { recursive: true });
  const writer = openBundle({ path: join(home, 'left.sftrace'), manifest: sealedManifest(trace), runtime: HEADER });
  for (const event of trace.events) writer.append(sealed(event));
  // It names this very process.
  rmSync(join(writer.workPath, '.writing'));
  renameSync(writer.workPath, path);
}
