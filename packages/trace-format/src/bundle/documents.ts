import { jsonText } from '../json/native.js';
import type { Manifest } from '../manifest.js';

/** One place that was redacted, as redactions.json lists it. */
export interface RedactionEntry {
  /** `__manifest__` for the manifest's own fields. */
  readonly event_id: string;
  /** JSON Pointer from the event's root. */
  readonly path: string;
  readonly reason: string;
  readonly replacement: '[REDACTED]';
}

/** Event id under which redactions of the manifest are listed. */
export const MANIFEST_ENTRY_ID = '__manifest__';

/** manifest.json, every field written, in the format's order. */
export function manifestText(manifest: Manifest): string {
  const { failure, environment, totals } = manifest;
  return documentText({
    format: manifest.format,
    schema_version: manifest.schema_version,
    run_id: manifest.run_id,
    agent_name: manifest.agent_name,
    created_at: manifest.created_at,
    status: manifest.status,
    failure: failure === null ? null : { type: failure.type, message: failure.message, step: failure.step },
    environment: {
      python: environment.python,
      os: environment.os,
      stepfork_version: environment.stepfork_version,
    },
    totals: {
      events: totals.events,
      llm_calls: totals.llm_calls,
      tool_calls: totals.tool_calls,
      cost_usd: totals.cost_usd,
      duration_ms: totals.duration_ms,
    },
  });
}

/** redactions.json. */
export function redactionsText(entries: readonly RedactionEntry[]): string {
  return documentText({
    schema_version: '0.1',
    entries: entries.map(({ event_id, path, reason }) => ({ event_id, path, reason, replacement: '[REDACTED]' })),
  });
}

/** integrity.json over the files given, in their order. */
export function integrityText(digests: ReadonlyMap<string, string>): string {
  return documentText({ schema_version: '0.1', algorithm: 'sha256', files: Object.fromEntries(digests) });
}

function documentText(value: object): string {
  return `${jsonText(value, 2)}\n`;
}
