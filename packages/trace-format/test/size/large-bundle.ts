import {
  createTrace,
  openBundle,
  runStartEvent,
  type TraceEvent,
  toolCallEvent,
  toolResultEvent,
} from '../../src/write.js';
import { sealed, sealedManifest } from '../support/sealed.js';

const TEXT = 'The quick brown fox jumps over the lazy dog, "twice"; и ещё раз. ';

/** What a call sends, a few kilobytes of it: prose, quotes, letters beyond ASCII, and fractions with many digits. */
function input(n: number): { [key: string]: unknown } {
  const messages = Array.from({ length: 12 }, (_, k) => ({
    content: TEXT.repeat(3),
    n: k,
    ratio: n / 7,
    role: 'user',
  }));
  return { messages, temperature: 0.25 };
}

function output(n: number): { [key: string]: unknown } {
  const rows = Array.from({ length: 40 }, (_, k) => ({
    id: n * 40 + k,
    name: `row ${k}`,
    ok: true,
    score: k / 3,
    tags: ['a'],
  }));
  return { rows };
}

/** Writes a bundle of about `megabytes`, and answers how many events it has. */
export function writeLargeBundle(path: string, megabytes: number): number {
  const trace = createTrace({ agentName: 'large' });
  const writer = openBundle({ path, manifest: sealedManifest(trace) });
  let bytes = 0;
  let step = 0;
  const append = (event: TraceEvent): string => {
    const written = writer.append(sealed({ ...event, run_id: trace.run_id, step: step++ }));
    return written.id;
  };
  const start = append(runStartEvent({ input: { megabytes } }));
  for (let n = 0; bytes < megabytes * 1_000_000; n++) {
    const call = append(toolCallEvent({ name: 'search', input: input(n) as never, parent_id: start }));
    append(toolResultEvent({ name: 'search', output: output(n) as never, parent_id: call }));
    bytes += BYTES_PER_CALL;
  }
  writer.finish(sealedManifest(trace, { status: 'completed' }));
  return step;
}

const BYTES_PER_CALL = JSON.stringify([input(1), output(1)]).length + 1500;
