import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saveTrace } from '@stepfork/recorder';
import {
  addEvent,
  createTrace,
  errorEvent,
  hashJson,
  llmRequestEvent,
  loadTrace,
  runStartEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (name = 'built'): string => join(directory(), `${name}.sftrace`);

function built(): Trace {
  const trace = createTrace({ agentName: 'by-hand' });
  const start = addEvent(trace, runStartEvent({ input: { password: 'hunter2-hunter2' } }));
  const call = addEvent(
    trace,
    toolCallEvent({ name: 'search', input: { q: 1 }, parent_id: start.id, input_hash: 'f'.repeat(64) }),
  );
  addEvent(trace, toolResultEvent({ name: 'search', output: [1], parent_id: call.id }));
  addEvent(trace, llmRequestEvent({ model: 'm', input: null, parent_id: start.id }));
  return trace;
}

describe('saveTrace', () => {
  it('B087 B090 writes the four files, in directories that it makes, and says where', () => {
    const target = join(directory(), 'a', 'b', 'built.sftrace');
    expect(saveTrace(built(), target)).toBe(target);
    expect(readdirSync(target).sort()).toEqual(['events.jsonl', 'integrity.json', 'manifest.json', 'redactions.json']);
    expect(loadSound(target).agent_name).toBe('by-hand');
  });

  it('B034 makes hashes anew, over what is written', () => {
    saveTrace(built(), path());
    const [start, call] = loadSound(path()).events;
    expect(call?.input_hash).toBe(hashJson({ q: 1 }));
    expect(start?.input_hash).toBe(hashJson({ password: '[REDACTED]' }));
  });

  it('B066 leaves the trace in memory as it is', () => {
    const trace = built();
    const before = structuredClone(trace);
    saveTrace(trace, path());
    expect(trace).toEqual(before);
    expect(readFileSync(join(path(), 'events.jsonl'), 'utf8')).not.toContain('hunter2');
  });

  it.each(['built.SFTRACE', 'built', '.sftrace', 'built.sftrace.json'])('B086 refuses the path %s', (name) => {
    expect(() => saveTrace(built(), join(directory(), name))).toThrow(
      expect.objectContaining({ code: 'not_a_bundle' }),
    );
    expect(readdirSync(directory())).toEqual([]);
  });

  it('B088 refuses a directory that holds something unless told to overwrite; an empty one is fine', () => {
    mkdirSync(path());
    saveTrace(built(), path());
    expect(() => saveTrace(built(), path())).toThrow(expect.objectContaining({ code: 'output_exists' }));
    const second = createTrace({ agentName: 'second' });
    saveTrace(second, path(), { overwrite: true });
    expect(loadTrace(path()).agent_name).toBe('second');
    expect(readdirSync(directory())).toEqual(['built.sftrace']);
  });

  it('B089 does not overwrite a directory that is no bundle', () => {
    mkdirSync(path());
    writeFileSync(join(path(), 'notes.txt'), 'mine');
    expect(() => saveTrace(built(), path(), { overwrite: true })).toThrow(
      expect.objectContaining({ code: 'output_exists' }),
    );
    expect(readdirSync(path())).toEqual(['notes.txt']);
    expect(readdirSync(directory())).toEqual(['built.sftrace']);
  });

  it('B090 refuses a file', () => {
    writeFileSync(path(), 'mine');
    expect(() => saveTrace(built(), path(), { overwrite: true })).toThrow(
      expect.objectContaining({ code: 'output_exists' }),
    );
    expect(readFileSync(path(), 'utf8')).toBe('mine');
  });

  it('B091 B092 leaves what lay there, and nothing else, when the trace cannot be written', () => {
    saveTrace(createTrace({ agentName: 'old' }), path());
    const trace = built();
    addEvent(trace, { ...toolCallEvent({ name: 'bad', input: 1 }), input: Number.NaN });
    expect(() => saveTrace(trace, path(), { overwrite: true })).toThrow(
      expect.objectContaining({ code: 'not_canonical' }),
    );
    expect(loadTrace(path()).agent_name).toBe('old');
    expect(readdirSync(directory())).toEqual(['built.sftrace']);
  });

  it('B093 counts events and calls, and keeps the cost and duration of the trace', () => {
    const trace = built();
    const totals = { events: 99, llm_calls: 99, tool_calls: 99, cost_usd: 0.5, duration_ms: 12 };
    saveTrace({ ...trace, totals }, path());
    expect(loadSound(path()).totals).toEqual({
      events: 4,
      llm_calls: 1,
      tool_calls: 1,
      cost_usd: 0.5,
      duration_ms: 12,
    });
  });

  it('B094 keeps the status of the trace, running by default', () => {
    saveTrace(built(), path());
    expect(loadTrace(path()).status).toBe('running');
    const failed = createTrace({
      agentName: 'failed',
      status: 'failed',
      failure: { type: 'Error', message: 'no', step: 0 },
    });
    addEvent(failed, runStartEvent({}));
    addEvent(failed, errorEvent({ error_type: 'Error', message: 'no' }));
    saveTrace(failed, path('failed'));
    expect(loadSound(path('failed')).failure).toEqual({ type: 'Error', message: 'no', step: 0 });
  });

  it('B095 refuses a failed trace without a failure', () => {
    const trace = createTrace({ agentName: 'failed', status: 'failed' });
    expect(() => saveTrace(trace, path())).toThrow(expect.objectContaining({ code: 'invalid_manifest' }));
    expect(readdirSync(directory())).toEqual([]);
  });

  it('writes what it loads as it was', () => {
    const trace = createTrace({ agentName: 'tagged', tags: { requestId: 'r-1' } });
    addEvent(trace, runStartEvent({ input: { a: [1, 'b', null] } }));
    saveTrace(trace, path());
    const loaded = loadSound(path());
    saveTrace(loaded, path('again'));
    expect(loadSound(path('again'))).toEqual(loaded);
    expect(loaded.runtime[0]).toMatchObject({ type: 'runtime', tags: { requestId: 'r-1' } });
    expect(existsSync(join(path(), 'runtime.jsonl'))).toBe(true);
  });
});
