import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addEvent,
  createTrace,
  errorEvent,
  loadTrace,
  runEndEvent,
  runStartEvent,
  type Trace,
  type TraceEvent,
  toolCallEvent,
  type ValidationResult,
  validateBundle,
  validateTrace,
} from '../../src/index.js';
import { EVENTS, MANIFEST, temporaryFolder, writeFiles } from '../support/bundle-files.js';
import { writeTrace } from '../support/sealed.js';

const codes = (result: ValidationResult): string[] => result.issues.map((issue) => issue.code);

/** A trace of the events given, whose own ids, steps and parents are kept. */
function traceOf(events: readonly TraceEvent[], change: Partial<Trace> = {}): Trace {
  const trace = createTrace({ agentName: 'a', runId: 'run_1', status: 'completed' });
  const owned = events.map((event) => ({ ...event, run_id: event.run_id.length === 36 ? 'run_1' : event.run_id }));
  return { ...trace, events: owned, totals: { ...trace.totals, events: events.length }, ...change };
}

const start = runStartEvent({ id: 'start' });
const call = (init: Partial<TraceEvent> = {}): TraceEvent =>
  ({ ...toolCallEvent({ name: 't', input: 1 }), ...init }) as TraceEvent;

describe('a whole trace', () => {
  it('B130 is valid when there is no issue', () => {
    const trace = createTrace({ agentName: 'a', status: 'completed' });
    addEvent(trace, runStartEvent());
    addEvent(trace, runEndEvent({ run_status: 'completed' }));
    expect(validateTrace(trace)).toEqual({ valid: true, issues: [], integrity: 'not_checked' });
    expect(validateTrace({ ...trace, events: [] }).valid).toBe(false);
  });

  it('B131 compares the number of events with the manifest, and no other count', () => {
    const trace = traceOf([start]);
    expect(codes(validateTrace({ ...trace, totals: { ...trace.totals, events: 2 } }))).toEqual([
      'event_count_mismatch',
    ]);
    expect(codes(validateTrace({ ...trace, totals: { ...trace.totals, llm_calls: 9, tool_calls: 9 } }))).toEqual([]);
  });

  it('B132 reports each later use of an id', () => {
    const result = validateTrace(
      traceOf([start, call({ id: 'x' }), call({ id: 'x', step: 1 }), call({ id: 'x', step: 2 })]),
    );
    expect(codes(result)).toEqual(['duplicate_event_id', 'duplicate_event_id']);
    expect(result.issues.map((issue) => issue.step)).toEqual([1, 2]);
  });

  it('B133 reports an event of another run', () => {
    expect(codes(validateTrace(traceOf([start, call({ run_id: 'run_2' })])))).toEqual(['run_id_mismatch']);
  });

  it('B134 reports a step below the one before; gaps and equal steps are fine', () => {
    const steps = (...values: number[]): string[] =>
      codes(validateTrace(traceOf([start, ...values.map((step) => call({ step }))])));
    expect(steps(0, 5, 5, 90)).toEqual([]);
    expect(steps(2, 1, 1)).toEqual(['step_order']);
  });

  it('B135 reports a parent that is no event', () => {
    expect(codes(validateTrace(traceOf([start, call({ parent_id: 'nobody' })])))).toEqual(['invalid_parent']);
  });

  it('B136 reports a parent that is the event itself or later; the first of equal ids counts', () => {
    const self = call({ id: 'x', parent_id: 'x' });
    expect(codes(validateTrace(traceOf([start, self])))).toEqual(['parent_not_earlier']);
    expect(codes(validateTrace(traceOf([start, call({ parent_id: 'y' }), call({ id: 'y' })])))).toEqual([
      'parent_not_earlier',
    ]);
    const twice = traceOf([start, call({ id: 'x' }), call({ parent_id: 'x' }), call({ id: 'x' })]);
    expect(codes(validateTrace(twice))).toEqual(['duplicate_event_id']);
  });

  it('B137 wants exactly one run_start, anywhere', () => {
    expect(codes(validateTrace(traceOf([call()])))).toEqual(['run_start_count']);
    expect(codes(validateTrace(traceOf([start, runStartEvent()])))).toEqual(['run_start_count']);
    expect(codes(validateTrace(traceOf([call(), start])))).toEqual([]);
  });

  it('B138 wants an error event in a failed run', () => {
    const failed = { status: 'failed', failure: { type: 'E', message: 'm', step: 1 } } as const;
    expect(codes(validateTrace(traceOf([start], failed)))).toEqual(['missing_error_event']);
    expect(codes(validateTrace(traceOf([start, errorEvent({ error_type: 'E', message: 'm' })], failed)))).toEqual([]);
  });

  it('B139 asks neither of these in partial mode, and all the rest', () => {
    const failed = { status: 'failed', failure: { type: 'E', message: 'm', step: 1 } } as const;
    const trace = traceOf([call({ parent_id: 'nobody' })], failed);
    expect(codes(validateTrace(trace, { strict: false }))).toEqual(['invalid_parent']);
    expect(codes(validateTrace(trace))).toEqual(['invalid_parent', 'run_start_count', 'missing_error_event']);
  });

  it('B140 needs no run_end and does not compare its status', () => {
    expect(codes(validateTrace(traceOf([start, runEndEvent({ run_status: 'failed' })])))).toEqual([]);
  });

  it('B141 reports all faults together: the count, then the events in order, then the run', () => {
    const trace = traceOf([
      call({ id: 'a', step: 5, run_id: 'other', parent_id: 'later' }),
      call({ id: 'a', step: 1, parent_id: 'nobody' }),
      call({ id: 'later', step: 2 }),
    ]);
    const result = validateTrace({ ...trace, totals: { ...trace.totals, events: 9 } });
    expect(codes(result)).toEqual([
      'event_count_mismatch',
      'run_id_mismatch',
      'parent_not_earlier',
      'duplicate_event_id',
      'step_order',
      'invalid_parent',
      'run_start_count',
    ]);
    expect(result.issues[2]).toMatchObject({ event_id: 'a', step: 5, location: null });
  });

  it('shows ids from a trace with control characters escaped', () => {
    const [issue] = validateTrace(traceOf([start, call({ parent_id: '\u001b[2J' })])).issues;
    expect(issue?.message).toContain('\\u001b[2J');
  });
});

describe('payload hashes', () => {
  const payloads = (event: TraceEvent): string[][] =>
    validateTrace(traceOf([start, event]), { verifyPayloads: true }).issues.map((issue) => [
      issue.code,
      String(issue.location),
    ]);
  const hashOf1 = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';

  it('B142 says which hash is missing and which is wrong', () => {
    expect(payloads(call())).toEqual([['integrity_unverified', 'events.jsonl:input_hash']]);
    expect(payloads(call({ input_hash: 'f'.repeat(64) }))).toEqual([
      ['payload_hash_mismatch', 'events.jsonl:input_hash'],
    ]);
    expect(payloads(call({ input_hash: hashOf1 }))).toEqual([]);
  });

  it('B143 is not looked at unless asked for', () => {
    expect(validateTrace(traceOf([start, call({ input_hash: 'wrong' })])).valid).toBe(true);
  });

  it('B032 reports a hash in a field that the type does not use', () => {
    expect(payloads(call({ input_hash: hashOf1, output_hash: hashOf1 }))).toEqual([
      ['payload_hash_mismatch', 'events.jsonl:output_hash'],
    ]);
  });

  it('B030 B031 expects no hash of an optional payload that was never set', () => {
    expect(payloads(runEndEvent({ run_status: 'completed' }))).toEqual([]);
    expect(payloads(runEndEvent({ run_status: 'completed', output_hash: hashOf1 }))).toEqual([
      ['payload_hash_mismatch', 'events.jsonl:output_hash'],
    ]);
    expect(payloads(runEndEvent({ run_status: 'completed', output: null }))).toEqual([
      ['integrity_unverified', 'events.jsonl:output_hash'],
    ]);
  });

  it('B033 never takes a missing hash for a wrong one', () => {
    expect(payloads(errorEvent({ error_type: 'E', message: 'm', details: 1 }))).toEqual([
      ['integrity_unverified', 'events.jsonl:output_hash'],
    ]);
  });

  it('B079 B081 reports a payload that has no hash as a mismatch', () => {
    for (const output of ['NaN', '"\\ud800"']) {
      const path = writeFiles({
        events: [`{"type":"tool_result","run_id":"run_1","name":"x","output":${output},"output_hash":"x"}`],
      });
      const found = validateBundle(path, { strict: false, verifyIntegrity: true });
      expect(codes(found)).toContain('payload_hash_mismatch');
    }
  });
});

describe('a bundle', () => {
  const check = (content: Parameters<typeof writeFiles>[0], name?: string): ValidationResult =>
    validateBundle(writeFiles(content, name));

  it('is valid as a small run by hand, lines and all', () => {
    expect(check({})).toEqual({ valid: true, issues: [], integrity: 'not_checked' });
  });

  it('B152 without a run_start is valid in partial mode only', () => {
    const path = writeFiles({ events: [{ ...EVENTS[1], parent_id: null }] });
    expect(codes(validateBundle(path, { strict: false }))).toEqual([]);
    expect(codes(validateBundle(path))).toEqual(['run_start_count']);
  });

  it('B144 names a missing bundle once, and every missing file', () => {
    const missing = validateBundle(join(temporaryFolder(), 'none.sftrace'));
    expect(missing.issues).toMatchObject([{ code: 'missing_file', location: null }]);
    const empty = check({ manifest: undefined, events: undefined, redactions: undefined });
    expect(empty.issues.map((issue) => [issue.code, issue.location])).toEqual([
      ['missing_file', 'manifest.json'],
      ['missing_file', 'events.jsonl'],
      ['missing_file', 'redactions.json'],
    ]);
  });

  it.each<[string, Parameters<typeof writeFiles>[0], string, string]>([
    ['broken JSON in the manifest', { manifest: '{' }, 'invalid_json', 'manifest.json'],
    ['broken JSON in a line', { events: `${JSON.stringify(EVENTS[0])}\n{\n` }, 'invalid_json', 'events.jsonl:2'],
    ['a blank line', { events: '\n' }, 'invalid_json', 'events.jsonl:1'],
    ['another schema', { manifest: { ...MANIFEST, schema_version: '2' } }, 'unsupported_schema', 'manifest.json'],
    ['a faulty event', { events: [{ type: 'tool_call' }] }, 'invalid_event', 'events.jsonl:1'],
    ['a faulty manifest', { manifest: { ...MANIFEST, run_id: '' } }, 'invalid_manifest', 'manifest.json'],
  ])('B145 B149 reports %s alone, with its place', (_title, content, code, location) => {
    expect(check(content).issues).toMatchObject([{ code, location, event_id: null, step: null }]);
  });

  it('B146 reports redactions.json of a wrong shape as invalid_manifest', () => {
    expect(check({ redactions: '[]' }).issues).toMatchObject([
      { code: 'invalid_manifest', location: 'redactions.json' },
    ]);
  });

  it('B147 reports a folder without the suffix as not_a_bundle', () => {
    expect(check({}, 'run').issues).toMatchObject([{ code: 'not_a_bundle', location: null }]);
  });

  it('B148 takes its codes from the cause, never from words in the path', () => {
    expect(codes(check({ events: '{\n' }, 'unsupported schema.sftrace'))).toEqual(['invalid_json']);
  });

  it('B139 counts no events of a run that still goes on', () => {
    const path = writeFiles({ manifest: { ...MANIFEST, status: 'running' } }, 'run.12345678.partial.sftrace');
    expect(codes(validateBundle(path, { strict: false }))).toEqual([]);
    expect(codes(validateBundle(path))).toEqual(['event_count_mismatch']);
  });

  it('B150 lists structural issues before those of integrity', () => {
    const events = [{ ...EVENTS[0], run_id: 'other' }];
    const result = validateBundle(writeFiles({ events }), { verifyIntegrity: true });
    expect(result.issues.map((issue) => [issue.code, issue.location])).toEqual([
      ['run_id_mismatch', null],
      ['integrity_unverified', 'events.jsonl:input_hash'],
      ['integrity_unverified', 'integrity.json'],
    ]);
  });

  it('verifies payloads where they stand in the line, whatever else the line holds', () => {
    const trace = createTrace({ agentName: 'a', status: 'completed' });
    const payloads = [{ input: { input: 1 } }, { output: '"input"' }, { a: '\u001b' }, [1], 'text', null, 1.5, {}];
    addEvent(trace, runStartEvent({ input: { deep: payloads } }));
    for (const input of payloads) addEvent(trace, toolCallEvent({ name: 'x', input }));
    const path = writeTrace(trace, join(temporaryFolder(), 'a.sftrace'));
    expect(validateBundle(path, { verifyIntegrity: true })).toMatchObject({ valid: true, integrity: 'verified' });
    expect(validateTrace(loadTrace(path), { verifyPayloads: true }).valid).toBe(true);
  });

  it('is not fooled by a payload whose bytes lie elsewhere in the line', () => {
    // Each line holds text that hashes to the stored hash, but its payload does not.
    const forged = '{"x":1},"redactions":[]';
    const lines = [
      `{"run_id":"run_1","type":"tool_call","name":"n","input_hash":"HASH","input":${forged}}`,
      `{"run_id":"run_1","type":"tool_call","name":"n","input_hash":"HASH","input":{"y":1},"inp\\u0075t":{"x":1}}`,
      `{"run_id":"run_1","type":"tool_call","input_hash":"HASH","input":{"y":{"z":1}},"name":"n"}`,
    ];
    const stored = ['{"x":1},"redactions":[]', '{"y":1},"inp\\u0075t":{"x":1}', '{"y":{"z":1}},"name":"n"'];
    lines.forEach((line, index) => {
      const path = writeFiles({ events: [line.replace('HASH', sha(stored[index] as string))] });
      expect(codes(validateBundle(path, { strict: false, verifyIntegrity: true }))).toContain('payload_hash_mismatch');
    });
  });
});

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
