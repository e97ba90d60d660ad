import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTrace, type TraceEvent } from '../../src/index.js';
import { EVENTS, MANIFEST, writeFiles } from '../support/bundle-files.js';
import { refusal } from '../support/refusal.js';

const CALL = { id: 'e', run_id: 'run_1', type: 'tool_call', name: 'search', input: {} };

/** Loads a bundle of one event. */
function load(event: unknown): TraceEvent {
  return loadTrace(writeFiles({ events: [event] })).events[0] as TraceEvent;
}

function codeFor(event: unknown): string {
  return refusal(() => load(event))?.code ?? 'accepted';
}

describe('what an event must be', () => {
  it('B067 refuses an unknown field, named in the error', () => {
    const refused = refusal(() => load({ ...CALL, colour: 1 }));
    expect(refused).toMatchObject({ code: 'invalid_event', details: { line: 1 } });
    expect(refused?.message).toContain("events.jsonl:1: unknown field 'colour'");
    expect(codeFor('{"type":"tool_call","name":"x","input":{},"__proto__":{}}')).toBe('invalid_event');
  });

  it.each(['tool-call', 'TOOL_CALL', null, undefined, 3, '__proto__'])('B068 refuses the event type %s', (type) => {
    expect(codeFor({ ...CALL, type })).toBe('invalid_event');
  });

  it('B069 refuses empty text where a name is needed, and takes a space', () => {
    const cases: Record<string, unknown>[] = [
      { ...CALL, id: '' },
      { ...CALL, run_id: '' },
      { ...CALL, parent_id: '' },
      { ...CALL, name: '' },
      { type: 'llm_request', model: '', input: null },
      { type: 'llm_request', model: 'm', provider: '', input: null },
      { type: 'llm_response', model: '', output: null },
      { type: 'error', error_type: '', message: 'm' },
      { type: 'error', error_type: 'E', message: '' },
      { type: 'state_change', key: '' },
    ];
    for (const event of cases) expect([event, codeFor(event)]).toEqual([event, 'invalid_event']);
    expect(load({ ...CALL, name: ' ' })).toMatchObject({ name: ' ' });
  });

  it('B070 refuses negative counts, durations and costs', () => {
    for (const field of ['step', 'duration_ms']) expect(codeFor({ ...CALL, [field]: -1 })).toBe('invalid_event');
    const response = { type: 'llm_response', output: null };
    for (const field of ['prompt_tokens', 'completion_tokens', 'total_tokens', 'cost_usd']) {
      expect(codeFor({ ...response, [field]: -1 })).toBe('invalid_event');
    }
  });

  it('B072 fills in what an event lacks', () => {
    const event = load({ type: 'tool_call', name: 'search', input: 1 });
    expect(event).toMatchObject({
      parent_id: null,
      step: 0,
      duration_ms: null,
      status: 'ok',
      replay_policy: 'frozen',
      input_hash: null,
      output_hash: null,
      redactions: [],
    });
    expect(event.id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(event.run_id).toMatch(/^run_[0-9a-f]{32}$/);
    expect(event.timestamp).toMatch(/^\d{4}-.*Z$/);
    expect(load({ type: 'error', error_type: 'E', message: 'm' }).status).toBe('error');
  });

  it('B073 refuses a call without input and a result without output, and takes null', () => {
    expect(codeFor({ type: 'tool_call', name: 'x' })).toBe('invalid_event');
    expect(codeFor({ type: 'tool_result', name: 'x' })).toBe('invalid_event');
    expect(codeFor({ type: 'llm_request', model: 'x' })).toBe('invalid_event');
    expect(codeFor({ type: 'llm_response' })).toBe('invalid_event');
    expect(load({ type: 'tool_result', name: 'x', output: null })).toMatchObject({ output: null });
  });

  it('B074 refuses null for id, status and policy, and takes a null parent', () => {
    for (const field of ['id', 'run_id', 'step', 'timestamp', 'status', 'replay_policy', 'redactions']) {
      expect([field, codeFor({ ...CALL, [field]: null })]).toEqual([field, 'invalid_event']);
    }
    expect(load({ ...CALL, parent_id: null }).parent_id).toBeNull();
  });

  it('B030 B031 tells an optional payload that is left out from one that is null', () => {
    expect(load({ type: 'run_start' })).not.toHaveProperty('input');
    expect(load({ type: 'run_start', input: null })).toHaveProperty('input', null);
  });
});

describe('values the original converts', () => {
  it.each([
    ['"3"', 3],
    ['3.0', 3],
    ['" 3 "', 3],
    ['true', 1],
    ['false', 0],
    ['"1_000"', 1000],
    ['"+3.0"', 3],
    ['1e2', 100],
  ])('B075 reads the step %s as %d', (text, step) => {
    expect(load(`{"type":"tool_call","name":"x","input":{},"step":${text}}`).step).toBe(step);
  });

  it.each(['3.5', '"3.5"', '"three"', '""', '[3]', '1e30', '"0x10"'])('B075 refuses the step %s', (text) => {
    expect(codeFor(`{"type":"tool_call","name":"x","input":{},"step":${text}}`)).toBe('invalid_event');
  });

  it.each([
    ['"0.5"', 0.5],
    ['true', 1],
    ['1', 1],
    ['" 1e-3 "', 0.001],
    ['123456789012345678901234567890', 1.2345678901234568e29],
  ])('B075 reads the cost %s as %d', (text, cost) => {
    expect(load(`{"type":"llm_response","output":1,"cost_usd":${text}}`)).toMatchObject({ cost_usd: cost });
  });

  it('B075 never reads a number as text', () => {
    expect(codeFor({ ...CALL, name: 3 })).toBe('invalid_event');
    expect(codeFor({ ...CALL, id: 3 })).toBe('invalid_event');
    expect(codeFor({ ...CALL, input_hash: 3 })).toBe('invalid_event');
  });

  it('B079 takes NaN and infinities in a payload', () => {
    const event = load('{"type":"tool_result","name":"x","output":[NaN,Infinity,-Infinity]}');
    expect(event).toMatchObject({ output: [NaN, Infinity, -Infinity] });
  });

  it('B080 reads an infinite cost as unknown and refuses NaN', () => {
    expect(load('{"type":"llm_response","output":1,"cost_usd":Infinity}')).toMatchObject({ cost_usd: null });
    expect(load('{"type":"llm_response","output":1,"cost_usd":"inf"}')).toMatchObject({ cost_usd: null });
    expect(codeFor('{"type":"llm_response","output":1,"cost_usd":NaN}')).toBe('invalid_event');
    expect(codeFor('{"type":"llm_response","output":1,"cost_usd":"nan"}')).toBe('invalid_event');
  });

  it('B081 takes a lone surrogate in a payload and refuses one in a name or id', () => {
    expect(load('{"type":"tool_result","name":"x","output":"\\ud800"}')).toMatchObject({ output: '\ud800' });
    expect(codeFor('{"type":"tool_result","name":"\\ud800","output":1}')).toBe('invalid_event');
    expect(codeFor('{"type":"tool_result","id":"\\ud800","name":"x","output":1}')).toBe('invalid_event');
  });
});

describe('timestamps', () => {
  const stamp = (timestamp: unknown): string => load({ ...CALL, timestamp }).timestamp;

  it.each(['2026-10-08T10:00:00', '2026-10-08', '2026-10-08 10:00', 'yesterday', '', true, null, {}])(
    'B071 refuses %s, which has no zone or is no time',
    (timestamp) => {
      expect(codeFor({ ...CALL, timestamp })).toBe('invalid_event');
    },
  );

  it('B071 refuses a creation time without a zone', () => {
    const manifest = { ...MANIFEST, created_at: '2026-10-08T10:00:00' };
    expect(refusal(() => loadTrace(writeFiles({ manifest })))?.code).toBe('invalid_manifest');
  });

  it.each([
    [1_791_453_600, '2026-10-08T10:00:00Z'],
    [1_791_453_600_123, '2026-10-08T10:00:00.123000Z'],
    ['1791453600', '2026-10-08T10:00:00Z'],
    ['1791453600.25', '2026-10-08T10:00:00.250000Z'],
    [-1, '1969-12-31T23:59:59Z'],
    ['2026-10-08 10:00:00Z', '2026-10-08T10:00:00Z'],
    ['2026-10-08t10:00:00z', '2026-10-08T10:00:00Z'],
    ['2026-10-08T10:00Z', '2026-10-08T10:00:00Z'],
    ['2026-10-08T10:00:00,5Z', '2026-10-08T10:00:00.500000Z'],
    ['2026-10-08T10:00:00+0545', '2026-10-08T10:00:00+05:45'],
  ])('B076 reads %s as %s', (given, timestamp) => {
    expect(stamp(given)).toBe(timestamp);
  });

  it.each(['2026-10-08T10:00:60Z', '2026-10-08T24:00:00Z', '2026-02-30T10:00:00Z', '0000-01-01T00:00:00Z', 1e300])(
    'B076 refuses %s',
    (timestamp) => {
      expect(codeFor({ ...CALL, timestamp })).toBe('invalid_event');
    },
  );

  it('B077 cuts fractions beyond six digits', () => {
    expect(stamp('2026-10-08T10:00:00.999999999Z')).toBe('2026-10-08T10:00:00.999999Z');
  });

  it('B078 writes UTC as Z, other offsets in full, and six digits or none', () => {
    expect(stamp('2026-10-08T10:00:00.1+00:00')).toBe('2026-10-08T10:00:00.100000Z');
    expect(stamp('2026-10-08T10:00:00.000-02:30')).toBe('2026-10-08T10:00:00-02:30');
  });
});

describe('lines', () => {
  const [first, second] = EVENTS.map((event) => JSON.stringify(event)) as [string, string];
  const loadText = (events: string | Buffer): readonly TraceEvent[] => loadTrace(writeFiles({ events })).events;

  it.each(['', ' ', '\t'])('B099 refuses a blank line (%j), naming it', (blank) => {
    const refused = refusal(() => loadText(`${first}\n${blank}\n${second}\n`));
    expect(refused).toMatchObject({ code: 'invalid_json', details: { line: 2 } });
    expect(refused?.message).toContain(join('run.sftrace', 'events.jsonl:2: blank line'));
  });

  it('B099 takes a missing last line end and an empty file', () => {
    expect(loadText(`${first}\n${second}`)).toHaveLength(2);
    expect(loadText('')).toHaveLength(0);
    expect(refusal(() => loadText(`${first}\n\n`))?.details.line).toBe(2);
  });

  it('B100 ends lines at LF, CRLF and a lone CR, and at nothing else', () => {
    expect(loadText(`${first}\r\n${second}\r${first}\n`)).toHaveLength(3);
    const odd = '{"type":"tool_result","name":"x","output":"a\u2028b\u0085c"}';
    expect(loadText(`${odd}\n`)).toMatchObject([{ output: 'a\u2028b\u0085c' }]);
  });

  it('reads line ends that fall on the edges of its buffer', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      for (const size of [1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1]) {
        const empty = '{"type":"tool_result","name":"x","output":""}';
        const long = empty.replace('""', `"${'a'.repeat(size - empty.length)}"`);
        const events = loadText(`${long}${end}${first}${end}${long}${end}`);
        expect(events.map((event) => event.type)).toEqual(['tool_result', 'run_start', 'tool_result']);
      }
    }
  });

  it('B101 refuses a byte order mark and bytes that are not UTF-8, naming the line', () => {
    expect(refusal(() => loadText(`\ufeff${first}\n`))).toMatchObject({ code: 'invalid_json', details: { line: 1 } });
    const broken = Buffer.concat([Buffer.from(`${first}\n{"type":"`), Buffer.from([0xff]), Buffer.from('"}\n')]);
    const refused = refusal(() => loadText(broken));
    expect(refused).toMatchObject({ code: 'invalid_json', details: { line: 2 } });
    expect(refused?.message).toContain('not UTF-8');
  });

  it('B104 takes any white space and key order within a line', () => {
    expect(loadText('\t{ "name" : "x" ,"input":{ } , "type":"tool_call" } \n')).toMatchObject([{ name: 'x' }]);
  });

  it('refuses a line of more than 64 MB', () => {
    const events = Buffer.concat([Buffer.from(`${first}\n`), Buffer.alloc(64 * 1024 * 1024 + 1, 0x20)]);
    expect(refusal(() => loadText(events))).toMatchObject({ code: 'event_too_large', details: { line: 2 } });
  });
});
