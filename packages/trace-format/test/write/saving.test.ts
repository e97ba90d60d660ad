import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addEvent,
  type BundleWriter,
  createTrace,
  llmRequestEvent,
  llmResponseEvent,
  loadTrace,
  openBundle,
  recoverBundle,
  runEndEvent,
  runStartEvent,
  sealManifest,
  sha256,
  type Trace,
  toolCallEvent,
  toolResultEvent,
  validateBundle,
} from '../../src/index.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { refusal } from '../support/refusal.js';
import { HEADER, linesOf, sealed, sealedManifest, textOf, writeTrace } from '../support/sealed.js';

function aTrace(): Trace {
  const trace = createTrace({ agentName: 'agent', status: 'completed' });
  const start = addEvent(trace, runStartEvent({ input: { q: 1 } }));
  const call = addEvent(trace, toolCallEvent({ name: 'search', input: { q: 'x' }, parent_id: start.id }));
  addEvent(trace, toolResultEvent({ name: 'search', output: [1], parent_id: call.id }));
  const request = addEvent(trace, llmRequestEvent({ model: 'm', input: 'hi', parent_id: start.id }));
  addEvent(trace, llmResponseEvent({ output: 'ho', parent_id: request.id, cost_usd: 0.5 }));
  addEvent(trace, runEndEvent({ run_status: 'completed', output: { ok: true } }));
  return trace;
}

/** A writer at `<folder>/run.sftrace`. */
function open(trace: Trace, folder: string, overwrite = false): BundleWriter {
  return openBundle({ path: join(folder, 'run.sftrace'), overwrite, manifest: sealedManifest(trace) });
}

describe('a finished bundle', () => {
  it('B087 has the four files, and runtime.jsonl where there is a header', () => {
    const folder = temporaryFolder();
    const plain = writeTrace(aTrace(), join(folder, 'a.sftrace'));
    expect(readdirSync(plain).sort()).toEqual(['events.jsonl', 'integrity.json', 'manifest.json', 'redactions.json']);
    const runtime = writeTrace(aTrace(), join(folder, 'b.sftrace'), { runtime: HEADER });
    expect(readdirSync(runtime)).toContain('runtime.jsonl');
    expect(Object.keys(JSON.parse(textOf(runtime, 'integrity.json')).files)).toEqual([
      'manifest.json',
      'events.jsonl',
      'redactions.json',
      'runtime.jsonl',
    ]);
  });

  it('B105 B106 loads as it was, valid and verified', () => {
    const trace = aTrace();
    const path = writeTrace(trace, join(temporaryFolder(), 'a.sftrace'), { runtime: HEADER });
    const loaded = loadTrace(path);
    expect(loaded).toMatchObject({ agent_name: 'agent', run_id: trace.run_id, runtime: [HEADER] });
    expect(loaded.events).toEqual(
      trace.events.map((event, index) => ({ ...event, ...pick(loaded.events[index], 'input_hash', 'output_hash') })),
    );
    expect(validateBundle(path, { verifyIntegrity: true })).toEqual({ valid: true, issues: [], integrity: 'verified' });
  });

  it('B108 has the exact layout of the format: fields in order, one line an event, two-space documents', () => {
    const created = '2026-10-08T10:00:00Z';
    const trace = createTrace({ agentName: 'agent', runId: 'run_1', createdAt: created, status: 'completed' });
    addEvent(trace, llmResponseEvent({ id: 'e', timestamp: created, output: { b: 1e-5, a: 'é' }, cost_usd: 0.25 }));
    const path = writeTrace(trace, join(temporaryFolder(), 'a.sftrace'));
    expect(textOf(path, 'events.jsonl')).toBe(
      '{"id":"e","run_id":"run_1","parent_id":null,"step":0,"type":"llm_response","timestamp":"2026-10-08T10:00:00Z",' +
        '"duration_ms":null,"status":"ok","replay_policy":"frozen","input_hash":null,"output_hash":' +
        `"${sha256('{"a":"é","b":1e-05}')}","redactions":[],"model":null,` +
        '"output":{"a":"é","b":1e-05},"prompt_tokens":null,"completion_tokens":null,"total_tokens":null,"cost_usd":0.25}\n',
    );
    expect(textOf(path, 'manifest.json')).toBe(`{
  "format": "stepfork",
  "schema_version": "0.1",
  "run_id": "run_1",
  "agent_name": "agent",
  "created_at": "2026-10-08T10:00:00Z",
  "status": "completed",
  "failure": null,
  "environment": {
    "python": null,
    "os": null,
    "stepfork_version": null
  },
  "totals": {
    "events": 1,
    "llm_calls": 0,
    "tool_calls": 0,
    "cost_usd": null,
    "duration_ms": null
  }
}
`);
    expect(textOf(path, 'redactions.json')).toBe('{\n  "schema_version": "0.1",\n  "entries": []\n}\n');
  });

  it('lists redactions in event order, each place once, the manifest last', () => {
    const trace = aTrace();
    const folder = temporaryFolder();
    const writer = open(trace, folder);
    const [first, second] = trace.events as [Trace['events'][0], Trace['events'][0]];
    const finding = { path: '/input/q', reason: 'sensitive_key' };
    writer.append(sealed(first, [finding, finding]));
    writer.append(sealed(second, [{ path: '/input', reason: 'credential_pattern' }]));
    const manifest = sealedManifest(trace).manifest;
    const path = writer.finish(sealManifest(manifest, [{ path: '/failure/message', reason: 'credential_pattern' }]));
    expect(JSON.parse(textOf(path, 'redactions.json')).entries).toEqual([
      { event_id: first.id, ...finding, replacement: '[REDACTED]' },
      { event_id: second.id, path: '/input', reason: 'credential_pattern', replacement: '[REDACTED]' },
      { event_id: '__manifest__', path: '/failure/message', reason: 'credential_pattern', replacement: '[REDACTED]' },
    ]);
    expect(linesOf(path).map((line) => line.redactions)).toEqual([['/input/q'], ['/input']]);
  });

  it('B093 counts events and calls itself, and takes cost and duration from the trace', () => {
    const trace = { ...aTrace(), totals: { events: 99, llm_calls: 99, tool_calls: 99, cost_usd: 1.5, duration_ms: 7 } };
    const path = writeTrace(trace, join(temporaryFolder(), 'a.sftrace'));
    expect(loadTrace(path).totals).toEqual({ events: 6, llm_calls: 1, tool_calls: 1, cost_usd: 1.5, duration_ms: 7 });
  });

  it('B094 keeps the status of the trace, running by default', () => {
    const path = writeTrace(createTrace({ agentName: 'a' }), join(temporaryFolder(), 'a.sftrace'));
    expect(loadTrace(path).status).toBe('running');
  });

  it('is for its owner alone', () => {
    const path = writeTrace(aTrace(), join(temporaryFolder(), 'new', 'a.sftrace'), { runtime: HEADER });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
  });

  it('B066 leaves the trace in memory as it was', () => {
    const trace = aTrace();
    const before = structuredClone(trace);
    writeTrace(trace, join(temporaryFolder(), 'a.sftrace'));
    expect(trace).toEqual(before);
  });
});

describe('where it is written', () => {
  it('B086 refuses a name that does not end in .sftrace before anything is touched', () => {
    const folder = temporaryFolder();
    for (const name of ['run', 'run.SFTRACE', '.sftrace']) {
      const action = () => writeTrace(aTrace(), join(folder, 'deep', name));
      expect(refusal(action)?.code).toBe('not_a_bundle');
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('B088 refuses a bundle that is there, unless told to overwrite; an empty folder is fine', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'run.sftrace');
    mkdirSync(path);
    writeTrace(aTrace(), path);
    const before = textOf(path, 'manifest.json');
    expect(refusal(() => writeTrace(aTrace(), path))?.code).toBe('output_exists');
    expect(textOf(path, 'manifest.json')).toBe(before);
    const other = aTrace();
    writeTrace(other, path, { overwrite: true });
    expect(loadTrace(path).run_id).toBe(other.run_id);
    expect(readdirSync(folder)).toEqual(['run.sftrace']);
  });

  it('B089 B090 refuses to overwrite what is no bundle: another folder, a file, a link', () => {
    const folder = temporaryFolder();
    const notes = join(folder, 'notes.sftrace');
    mkdirSync(notes);
    writeFileSync(join(notes, 'mine.txt'), 'keep');
    const file = join(folder, 'file.sftrace');
    writeFileSync(file, 'keep');
    const link = join(folder, 'link.sftrace');
    symlinkSync(notes, link);
    for (const path of [notes, file, link]) {
      expect(refusal(() => writeTrace(aTrace(), path, { overwrite: true }))?.code).toBe('output_exists');
    }
    expect(readFileSync(file, 'utf8')).toBe('keep');
    expect(readFileSync(join(notes, 'mine.txt'), 'utf8')).toBe('keep');
    expect(readdirSync(folder).sort()).toEqual(['file.sftrace', 'link.sftrace', 'notes.sftrace']);
  });

  it('B090 makes missing parents, and keeps a new .stepfork out of git', () => {
    const folder = temporaryFolder();
    writeTrace(aTrace(), join(folder, '.stepfork', 'traces', 'a.sftrace'));
    expect(readFileSync(join(folder, '.stepfork', '.gitignore'), 'utf8')).toBe('*\n');
    expect(readdirSync(join(folder, '.stepfork', 'traces'))).toEqual(['a.sftrace']);
  });

  it('refuses a second writer on one path while the first is open', () => {
    const folder = temporaryFolder();
    const first = open(aTrace(), folder);
    expect(refusal(() => open(aTrace(), folder))?.code).toBe('output_busy');
    first.abandon();
    open(aTrace(), folder).finish(sealedManifest(aTrace()));
    expect(readdirSync(folder)).toEqual(['run.sftrace']);
  });

  it('names the leftover of the same run that is in the way', () => {
    const folder = temporaryFolder();
    const trace = aTrace();
    const { workPath } = open(trace, folder);
    const elsewhere = workPath.replace('run.', 'other.');
    mkdirSync(elsewhere);
    const refused = refusal(() => openBundle({ path: join(folder, 'other.sftrace'), manifest: sealedManifest(trace) }));
    expect(refused?.code).toBe('output_busy');
    expect(refused?.message).toContain(elsewhere);
  });

  it('says in one line what the system refuses', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const refused = refusal(() => writeTrace(aTrace(), join(folder, 'file', 'a.sftrace')));
    expect(refused).toMatchObject({ code: 'write_failed', details: { errno: 'ENOTDIR' } });
  });
});

describe('while the run goes on', () => {
  it('B091 lies beside its place and is a valid partial bundle after every event', () => {
    const folder = temporaryFolder();
    const trace = aTrace();
    const writer = open(trace, folder);
    expect(writer.workPath).toBe(join(folder, `run.${trace.run_id.slice(4, 12)}.partial.sftrace`));
    for (const event of trace.events) {
      writer.append(sealed(event));
      const partial = loadTrace(writer.workPath);
      expect(partial.status).toBe('running');
      expect(partial.events.at(-1)?.id).toBe(event.id);
      expect(validateBundle(writer.workPath, { strict: false })).toMatchObject({ valid: true, issues: [] });
    }
    writer.finish(sealedManifest(trace));
    expect(readdirSync(folder)).toEqual(['run.sftrace']);
  });

  it('stays as it is when it is closed, and can be recovered', () => {
    const folder = temporaryFolder();
    const trace = aTrace();
    const writer = open(trace, folder);
    writer.append(sealed({ ...toolCallEvent({ name: 't', input: 1 }), run_id: trace.run_id }));
    writer.close();
    writer.close();
    writer.abandon();
    expect(refusal(() => writer.finish(sealedManifest(trace)))?.code).toBe('bundle_closed');
    expect(recoverBundle(writer.workPath)).toMatchObject({ path: writer.path, status: 'running', events: 1 });
  });

  it('is gone when it is abandoned', () => {
    const folder = temporaryFolder();
    const writer = open(aTrace(), folder);
    writer.append(sealed(toolCallEvent({ name: 't', input: 1 })));
    writer.abandon();
    writer.abandon();
    expect(readdirSync(folder)).toEqual([]);
    expect(refusal(() => writer.append(sealed(toolCallEvent({ name: 't', input: 1 }))))?.code).toBe('bundle_closed');
    expect(refusal(() => writer.finish(sealedManifest(aTrace())))?.code).toBe('bundle_closed');
  });

  it('B092 leaves the bundle that it is to replace as it was when an event is refused', () => {
    const folder = temporaryFolder();
    const old = aTrace();
    writeTrace(old, join(folder, 'run.sftrace'));
    const writer = open(aTrace(), folder, true);
    const bad = { ...toolCallEvent({ name: 't', input: 1 }), input: Number.NaN };
    expect(refusal(() => writer.append(sealed(bad)))?.code).toBe('not_canonical');
    writer.abandon();
    expect(loadTrace(join(folder, 'run.sftrace')).run_id).toBe(old.run_id);
    expect(readdirSync(folder)).toEqual(['run.sftrace']);
  });

  it('takes no part of an event that it refuses, and goes on', () => {
    const folder = temporaryFolder();
    const writer = open(aTrace(), folder);
    const bad = { ...toolCallEvent({ name: 't', input: 1 }), input: Number.NaN };
    expect(refusal(() => writer.append(sealed(bad)))?.code).toBe('not_canonical');
    expect(refusal(() => writer.append(sealed({ ...bad, name: '' })))?.code).toBe('invalid_event');
    const large = toolCallEvent({ name: 't', input: 'x'.repeat(64 * 1024 * 1024) });
    expect(refusal(() => writer.append(sealed(large)))?.code).toBe('event_too_large');
    writer.append(sealed(toolCallEvent({ name: 't', input: 1 })));
    const path = writer.finish(sealedManifest(aTrace()));
    expect(validateBundle(path, { strict: false, verifyIntegrity: true }).integrity).toBe('verified');
    expect(loadTrace(path).events).toHaveLength(1);
  });

  it('B095 cannot finish as failed without a failure, and stays open', () => {
    const folder = temporaryFolder();
    const trace = aTrace();
    const writer = open(trace, folder);
    expect(refusal(() => writer.finish(sealedManifest(trace, { status: 'failed' })))?.code).toBe('invalid_manifest');
    const failure = { type: 'E', message: 'm', step: 0 };
    expect(loadTrace(writer.finish(sealedManifest(trace, { status: 'failed', failure }))).failure).toEqual(failure);
  });

  it('keeps the partial when its place was taken meanwhile', () => {
    const folder = temporaryFolder();
    const trace = aTrace();
    const writer = open(trace, folder);
    writeTrace(aTrace(), join(folder, 'other.sftrace'));
    mkdirSync(writer.path);
    writeFileSync(join(writer.path, 'mine.txt'), 'keep');
    expect(refusal(() => writer.finish(sealedManifest(trace)))?.code).toBe('output_exists');
    expect(existsSync(writer.workPath)).toBe(true);
    expect(readFileSync(join(writer.path, 'mine.txt'), 'utf8')).toBe('keep');
  });

  it('holds few descriptors however many bundles are open', () => {
    const folder = temporaryFolder();
    const trace = aTrace();
    const writers = Array.from({ length: 140 }, (_, index) =>
      openBundle({ path: join(folder, `${index}.sftrace`), manifest: sealedManifest(trace), runtime: HEADER }),
    );
    const descriptors = (): number => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0);
    for (const event of trace.events) {
      for (const writer of writers) writer.append(sealed(event));
    }
    expect(descriptors()).toBeLessThan(250);
    const paths = writers.map((writer) => writer.finish(sealedManifest(trace)));
    for (const path of [paths[0], paths[70], paths[139]]) {
      expect(validateBundle(path as string, { verifyIntegrity: true }).valid).toBe(true);
    }
  });

  it('says so when its folder was removed', () => {
    const folder = temporaryFolder();
    const writer = open(aTrace(), folder);
    writer.append(sealed(toolCallEvent({ name: 't', input: 1 })));
    rmSync(folder, { recursive: true });
    expect(refusal(() => writer.finish(sealedManifest(aTrace())))).toMatchObject({
      code: 'bundle_changed',
    });
  });
});

function pick(event: Trace['events'][0] | undefined, ...names: ('input_hash' | 'output_hash')[]): object {
  return Object.fromEntries(names.map((name) => [name, event?.[name]]));
}
