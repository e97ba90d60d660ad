import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type BundleWriter,
  createTrace,
  errorEvent,
  loadTrace,
  openBundle,
  recoverBundle,
  runEndEvent,
  runStartEvent,
  type Trace,
  type TraceEvent,
  toolCallEvent,
  validateBundle,
} from '../../src/index.js';
import { temporaryFolder, writeFiles } from '../support/bundle-files.js';
import { refusal } from '../support/refusal.js';
import { HEADER, sealed, sealedManifest, textOf, writeTrace } from '../support/sealed.js';

interface Leftover {
  readonly folder: string;
  readonly trace: Trace;
  readonly writer: BundleWriter;
  /** The folder that a dead process left. */
  readonly path: string;
}

/** What is on disk when a process dies after these events: copied away, since this process is alive. */
function leftover(events: readonly TraceEvent[], prepare: (path: string) => void = () => undefined): Leftover {
  const trace = createTrace({ agentName: 'a', runId: 'run_0123456789abcdef' });
  const folder = temporaryFolder();
  const home = join(folder, 'recording');
  const writer = openBundle({ path: join(home, 'run.sftrace'), manifest: sealedManifest(trace), runtime: HEADER });
  for (const event of events) {
    writer.append(
      sealed({ ...event, run_id: trace.run_id }, event.type === 'tool_call' ? [{ path: '/input', reason: 'r' }] : []),
    );
  }
  const path = join(folder, 'run.01234567.partial.sftrace');
  renameSync(writer.workPath, path);
  prepare(path);
  return { folder, trace, writer, path };
}

const start = runStartEvent({ input: 1 });
const call = (): TraceEvent => toolCallEvent({ name: 't', input: 'x' });

describe('recovering a leftover', () => {
  it('makes it a valid bundle in the place it was meant for', () => {
    const { folder, path } = leftover([start, call(), call()]);
    const recovered = recoverBundle(path);
    expect(recovered).toEqual({
      path: join(folder, 'run.sftrace'),
      run_id: 'run_0123456789abcdef',
      status: 'running',
      events: 3,
      dropped: [],
    });
    expect(validateBundle(recovered.path, { verifyIntegrity: true })).toMatchObject({
      valid: true,
      integrity: 'verified',
    });
    const trace = loadTrace(recovered.path);
    expect(trace.totals).toMatchObject({ events: 3, llm_calls: 0, tool_calls: 2 });
    expect(trace.runtime).toEqual([HEADER]);
    expect(existsSync(path)).toBe(false);
    expect(recoverBundle(recovered.path)).toEqual(recovered);
  });

  it('drops a torn last line and says so', () => {
    const { path } = leftover([start, call()], (left) => {
      appendFileSync(join(left, 'events.jsonl'), '{"id":"evt_torn","run_');
      appendFileSync(join(left, 'runtime.jsonl'), '{"type":"ca');
    });
    const recovered = recoverBundle(path);
    expect(recovered.dropped).toEqual([
      { file: 'events.jsonl', line: 3, bytes: 22 },
      { file: 'runtime.jsonl', line: 2, bytes: 11 },
    ]);
    expect(recovered.events).toBe(2);
    expect(validateBundle(recovered.path, { verifyIntegrity: true }).valid).toBe(true);
  });

  it('keeps a last line that lacks nothing but its end', () => {
    const { path } = leftover([start, call()], (left) => {
      const events = join(left, 'events.jsonl');
      truncateSync(events, readFileSync(events).length - 1);
    });
    const recovered = recoverBundle(path);
    expect(recovered).toMatchObject({ events: 2, dropped: [] });
    expect(textOf(recovered.path, 'events.jsonl').endsWith('}\n')).toBe(true);
  });

  it('gives a run whose end was recorded that end', () => {
    const ended = recoverBundle(leftover([start, runEndEvent({ run_status: 'completed', duration_ms: 7 })]).path);
    expect(loadTrace(ended.path)).toMatchObject({ status: 'completed', failure: null, totals: { duration_ms: 7 } });
    const error = errorEvent({ error_type: 'E', message: 'm', step: 1 });
    const failed = recoverBundle(leftover([start, error, { ...runEndEvent({ run_status: 'failed' }), step: 2 }]).path);
    expect(loadTrace(failed.path)).toMatchObject({ status: 'failed', failure: { type: 'E', message: 'm', step: 1 } });
    expect(validateBundle(failed.path, { verifyIntegrity: true }).valid).toBe(true);
    expect(recoverBundle(leftover([start, runEndEvent({ run_status: 'failed' })]).path).status).toBe('running');
  });

  it('lists the redactions that the events tell of', () => {
    const { path } = leftover([start, call()]);
    const entries = JSON.parse(textOf(recoverBundle(path).path, 'redactions.json')).entries;
    expect(entries).toMatchObject([{ path: '/input', reason: 'recovered', replacement: '[REDACTED]' }]);
  });

  it('recovers a run that had only begun, and files that finishing left half written', () => {
    const { path } = leftover([], (left) => {
      rmSync(join(left, 'events.jsonl'));
      rmSync(join(left, 'redactions.json'));
      writeFileSync(join(left, 'integrity.json.new'), '{"sch');
    });
    const recovered = recoverBundle(path);
    expect(recovered).toMatchObject({ events: 0, status: 'running' });
    expect(validateBundle(recovered.path, { strict: false, verifyIntegrity: true }).valid).toBe(true);
    expect(readdirSync(recovered.path)).not.toContain('integrity.json.new');
  });

  it('lies beside a bundle that has taken the place meanwhile', () => {
    const { folder, path } = leftover([start]);
    const other = writeTrace(createTrace({ agentName: 'b' }), join(folder, 'run.sftrace'));
    const recovered = recoverBundle(path);
    expect(recovered.path).toBe(join(folder, 'run.01234567.sftrace'));
    expect(loadTrace(other).agent_name).toBe('b');
    const again = leftover([start]);
    mkdirSync(join(again.folder, 'run.sftrace'));
    mkdirSync(join(again.folder, 'run.01234567.sftrace'));
    expect(refusal(() => recoverBundle(again.path))?.code).toBe('output_exists');
    expect(existsSync(again.path)).toBe(true);
  });

  it('completes a replacement that was cut between its two renames', () => {
    const { folder, trace } = leftover([start]);
    const finished = writeTrace(trace, join(folder, 'done.sftrace'));
    const partial = join(folder, 'late.01234567.partial.sftrace');
    renameSync(finished, partial);
    const aside = join(folder, '.late.01234567.replaced');
    mkdirSync(aside);
    const recovered = recoverBundle(partial);
    expect(recovered.path).toBe(join(folder, 'late.sftrace'));
    expect(existsSync(aside)).toBe(false);
    mkdirSync(aside);
    recoverBundle(recovered.path);
    expect(existsSync(aside)).toBe(false);
  });
});

describe('what is not recovered', () => {
  it('is a run that this process is still recording', () => {
    const trace = createTrace({ agentName: 'a' });
    const writer = openBundle({ path: join(temporaryFolder(), 'run.sftrace'), manifest: sealedManifest(trace) });
    expect(refusal(() => recoverBundle(writer.workPath))?.code).toBe('output_busy');
    writer.finish(sealedManifest(trace));
  });

  it('is a bundle that is no leftover: sealing what was tampered with would vouch for it', () => {
    const legacy = writeFiles();
    expect(refusal(() => recoverBundle(legacy))?.code).toBe('not_partial');
    const path = writeTrace(createTrace({ agentName: 'a' }), join(temporaryFolder(), 'a.sftrace'));
    appendFileSync(join(path, 'redactions.json'), ' ');
    expect(refusal(() => recoverBundle(path))?.code).toBe('not_partial');
  });

  it('is damage that a dying process does not do', () => {
    const { path } = leftover([start, call()], (left) => {
      const events = join(left, 'events.jsonl');
      writeFileSync(events, readFileSync(events, 'utf8').replace('{"id"', '{"di"'));
    });
    const before = textOf(path, 'events.jsonl');
    expect(refusal(() => recoverBundle(path))).toMatchObject({ code: 'invalid_event', details: { line: 1 } });
    expect(textOf(path, 'events.jsonl')).toBe(before);
    expect(refusal(() => recoverBundle(join(temporaryFolder(), 'none.partial.sftrace')))?.code).toBe('missing_bundle');
    expect(refusal(() => recoverBundle('notes.txt'))?.code).toBe('not_a_bundle');
  });

  it('never writes through a link that a hostile leftover holds', () => {
    const { folder, path } = leftover([start], (left) => {
      rmSync(join(left, 'events.jsonl'));
    });
    const victim = join(folder, 'victim.txt');
    symlinkSync(victim, join(path, 'events.jsonl'));
    symlinkSync(victim, join(path, 'manifest.json.new'));
    expect(refusal(() => recoverBundle(path))?.code).toBe('missing_file');
    expect(existsSync(victim)).toBe(false);
  });
});
