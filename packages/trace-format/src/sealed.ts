import type { TraceEvent } from './event.js';
import { carryFloats, carryMark } from './json/float-marks.js';
import type { Json } from './json.js';
import type { Manifest } from './manifest.js';
import { PAYLOAD_FIELDS } from './payloads.js';

declare const SEALED: unique symbol;

/** One place that was redacted. Never holds the secret. */
export interface Finding {
  /** JSON Pointer from the event's (or the manifest's) root. */
  readonly path: string;
  /** `sensitive_key`, `credential_pattern`, or a rule's own name. */
  readonly reason: string;
}

/** An event from which the secrets are gone. Only a redactor makes one, and only such events are written. */
export interface RedactedEvent {
  readonly event: TraceEvent;
  readonly findings: readonly Finding[];
  readonly [SEALED]: 'event';
}

/** A manifest from which the secrets are gone. */
export interface RedactedManifest {
  readonly manifest: Manifest;
  readonly findings: readonly Finding[];
  readonly [SEALED]: 'manifest';
}

/**
 * States that `event` was redacted, and adds the findings' paths to its `redactions`. For redactors only.
 *
 * @param original the event before redaction, when payloads were rebuilt: floats that were read from a bundle
 * (`1.0`) stay floats in what was not touched
 */
export function sealEvent(event: TraceEvent, findings: readonly Finding[], original?: TraceEvent): RedactedEvent {
  const sealed = { ...event, redactions: withPaths(event.redactions, findings) };
  for (const { name } of PAYLOAD_FIELDS[event.type]) carryPayload(original ?? event, sealed, name);
  return { event: sealed, findings } as unknown as RedactedEvent;
}

/** States that `manifest` was redacted. For redactors only. */
export function sealManifest(manifest: Manifest, findings: readonly Finding[]): RedactedManifest {
  return { manifest, findings } as unknown as RedactedManifest;
}

function withPaths(old: readonly string[], findings: readonly Finding[]): readonly string[] {
  const fresh = findings.map((finding) => finding.path).filter((path) => !old.includes(path));
  return fresh.length === 0 ? old : [...old, ...new Set(fresh)];
}

function carryPayload(from: TraceEvent, to: TraceEvent, name: string): void {
  const before = (from as unknown as Record<string, Json | undefined>)[name];
  const after = (to as unknown as Record<string, Json | undefined>)[name];
  if (before === undefined || after === undefined) return;
  if (typeof before === 'number' && Object.is(before, after)) carryMark(from, name, to, name);
  else carryFloats(before, after);
}
