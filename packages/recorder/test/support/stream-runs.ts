import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import type { Json, Trace } from '@stepfork/trace-format';
import { loadSound } from './bundles.js';

/** Records runs into a folder, one after another, and gives each as it was saved. */
export function recordedIn(directory: () => string): (agent: () => unknown) => Promise<Trace> {
  return async (agent) => {
    const output = join(directory(), 'run.sftrace');
    await record('agent', { output, overwrite: true }, async () => {
      await agent();
    });
    return loadSound(output);
  };
}

/** Reads a stream to its end. */
export async function drain(stream: AsyncIterable<unknown> | Iterable<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** What the event at this position holds as its output. */
export function outputOf(trace: Trace, position: number): Json {
  const event = trace.events[position];
  return event !== undefined && 'output' in event ? event.output : null;
}
