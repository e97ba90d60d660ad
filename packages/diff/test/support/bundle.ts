import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '@stepfork/redact';
import { openBundle, type Trace } from '@stepfork/trace-format';
import { onTestFinished } from 'vitest';

/** A new folder, until the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-diff-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Writes a trace as a bundle, and answers its path. */
export function writeBundle(trace: Trace, folder: string, name: string): string {
  const redactor = createRedactor();
  const { events, runtime: _runtime, ...manifest } = trace;
  const bundle = openBundle({ path: join(folder, `${name}.sftrace`), manifest: redactor.redactManifest(manifest) });
  for (const event of events) bundle.append(redactor.redactEvent(event));
  return bundle.finish(redactor.redactManifest(manifest));
}
