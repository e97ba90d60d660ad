import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { onTestFinished } from 'vitest';

/** Milliseconds, by a real timer. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A path for a bundle, in a folder that goes with the test. */
export function bundlePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-replay-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'run.sftrace');
}

/** Records one run of `agent`, whatever it comes to. */
export async function recordRun(agent: () => unknown): Promise<string> {
  const output = bundlePath();
  await record('agent', { output }, agent).catch(() => {});
  return output;
}

/** An entrypoint that is the recorded agent, perhaps with other code. */
export function asAgent(agent: () => unknown): () => Promise<unknown> {
  return () => record('agent', agent);
}
