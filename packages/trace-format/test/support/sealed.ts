import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Finding,
  type Manifest,
  type OpenBundleOptions,
  openBundle,
  type RedactedEvent,
  type RedactedManifest,
  type RuntimeHeader,
  sealEvent,
  sealManifest,
  type Trace,
  type TraceEvent,
} from '../../src/write.js';

/** Stands in for a redactor that finds nothing. */
export function sealed(event: TraceEvent, findings: readonly Finding[] = []): RedactedEvent {
  return sealEvent(event, findings);
}

/** The manifest fields of a trace, sealed. */
export function sealedManifest(trace: Trace, change: Partial<Manifest> = {}): RedactedManifest {
  const { events: _events, runtime: _runtime, ...manifest } = trace;
  return sealManifest({ ...manifest, ...change }, []);
}

/** Writes a whole trace, or nothing. */
export function writeTrace(trace: Trace, path: string, options: Partial<OpenBundleOptions> = {}): string {
  const writer = openBundle({ path, manifest: sealedManifest(trace), ...options });
  try {
    for (const event of trace.events) writer.append(sealed(event));
    return writer.finish(sealedManifest(trace));
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

export const HEADER: RuntimeHeader = {
  type: 'runtime',
  schema: 'stepfork-runtime/1',
  language: 'node',
  language_version: '20.19.0',
  recorder_version: '0.1.0',
  started_at_ms: 1_791_453_600_000,
  time_zone: 'Asia/Kathmandu',
  tags: { requestId: 'r1' },
  redaction: { ruleset: 'default', fingerprint: 'a'.repeat(64) },
};

/** A file of a bundle as text. */
export function textOf(bundle: string, name: string): string {
  return readFileSync(join(bundle, name), 'utf8');
}

/** The lines of events.jsonl as plain JSON. */
export function linesOf(bundle: string): Record<string, unknown>[] {
  return textOf(bundle, 'events.jsonl')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
