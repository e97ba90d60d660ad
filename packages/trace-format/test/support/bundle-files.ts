import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone after the test. */
export function temporaryFolder(home = tmpdir()): string {
  const folder = mkdtempSync(join(home, 'stepfork-format-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same in memory, where there is such a place: for tests that make thousands of files. */
export function quickFolder(): string {
  return temporaryFolder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
}

/** The content of a bundle's files: text or bytes as they are, anything else as JSON; undefined leaves a file out. */
export interface BundleContent {
  readonly manifest?: unknown;
  /** A list becomes one line each. */
  readonly events?: unknown;
  readonly redactions?: unknown;
  readonly integrity?: unknown;
  readonly runtime?: unknown;
}

export const MANIFEST = {
  format: 'stepfork',
  schema_version: '0.1',
  run_id: 'run_1',
  agent_name: 'agent',
  created_at: '2026-10-08T10:00:00Z',
  status: 'completed',
} as const;

export const REDACTIONS = { schema_version: '0.1', entries: [] } as const;

/** A small whole run: start, a tool call with its result, end. */
export const EVENTS: readonly Record<string, unknown>[] = [
  { id: 'e1', run_id: 'run_1', step: 0, type: 'run_start', timestamp: '2026-10-08T10:00:00Z', input: { q: 1 } },
  { id: 'e2', run_id: 'run_1', parent_id: 'e1', step: 1, type: 'tool_call', name: 'search', input: { q: 'x' } },
  { id: 'e3', run_id: 'run_1', parent_id: 'e2', step: 2, type: 'tool_result', name: 'search', output: [1, 2] },
  { id: 'e4', run_id: 'run_1', step: 3, type: 'run_end', run_status: 'completed', output: { ok: true } },
];

/** Writes a bundle by hand, as a foreign writer might; what is not given is a valid default. */
export function writeFiles(content: BundleContent = {}, name = 'run.sftrace'): string {
  const path = join(temporaryFolder(), name);
  mkdirSync(path);
  const events = 'events' in content ? content.events : EVENTS;
  const count = Array.isArray(events) ? events.length : 0;
  const files: Record<string, unknown> = {
    'manifest.json': 'manifest' in content ? content.manifest : { ...MANIFEST, totals: { events: count } },
    'events.jsonl': Array.isArray(events) ? events.map((event) => `${textOf(event)}\n`).join('') : events,
    'redactions.json': 'redactions' in content ? content.redactions : REDACTIONS,
    'integrity.json': content.integrity,
    'runtime.jsonl': content.runtime,
  };
  for (const [file, value] of Object.entries(files)) {
    if (value !== undefined) writeFileSync(join(path, file), Buffer.isBuffer(value) ? value : textOf(value));
  }
  return path;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Digest of a file's bytes. */
export function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** An integrity record over the three files of a bundle. */
export function sealOf(bundle: string): { schema_version: string; algorithm: string; files: Record<string, string> } {
  const names = ['manifest.json', 'events.jsonl', 'redactions.json'];
  const files = Object.fromEntries(names.map((name) => [name, digestOf(join(bundle, name))]));
  return { schema_version: '0.1', algorithm: 'sha256', files };
}
