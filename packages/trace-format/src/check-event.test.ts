import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeEventLine, OWN_FIELDS } from './bundle/event-line.js';
import { checkEvent } from './check-event.js';
import { isStepforkError } from './errors.js';
import { EVENT_TYPES, type TraceEvent } from './event.js';
import { toolCallEvent } from './event-constructors.js';
import { parseJson } from './json/parse-json.js';
import { SCHEMA_0_1 } from './schema/v0-1/schema.js';

const BASE = ['id', 'run_id', 'parent_id', 'step', 'timestamp', 'duration_ms', 'status', 'replay_policy', 'redactions'];
const VALUES = [
  null,
  '',
  'x',
  ' ',
  '\ud800',
  0,
  1,
  -1,
  1.5,
  Number.NaN,
  2 ** 60,
  true,
  [],
  ['/a'],
  'ok',
  'error',
  'live',
];
const MORE = [
  undefined,
  'completed',
  '2026-10-08T10:00:00Z',
  '2026-10-08',
  '2026-10-08T10:00:00+05:45',
  '2026-13-08T10:00:00Z',
];

describe('checkEvent', () => {
  it('lets through only what the reader takes back as it is', () => {
    const field = fc.oneof({ weight: 3, arbitrary: fc.constant('keep') }, fc.constantFrom(...VALUES, ...MORE));
    const events = fc.constantFrom(...EVENT_TYPES).chain((type) => {
      const names = [...BASE, ...OWN_FIELDS[type]];
      return fc.tuple(fc.constant(type), fc.constantFrom(...names), field);
    });
    fc.assert(
      fc.property(events, ([type, name, value]) => {
        const valid = { ...toolCallEvent({ name: 'n', input: 1 }), type, run_status: 'completed' };
        const own = { model: 'm', error_type: 'E', message: 'm', output: 1, provider: null, key: null };
        const tokens = { prompt_tokens: null, completion_tokens: null, total_tokens: null, cost_usd: null };
        const all: Record<string, unknown> = { ...valid, ...own, ...tokens };
        if (value !== 'keep') all[name] = value;
        try {
          const line = encodeEventLine(checkEvent(all as unknown as TraceEvent));
          const read = SCHEMA_0_1.event(parseJson(new TextDecoder().decode(line.bytes)));
          expect(read).toMatchObject({ ok: true });
          if (read.ok) expect((read.value as unknown as typeof all)[name] ?? null).toEqual(all[name] ?? null);
        } catch (error) {
          if (!isStepforkError(error)) throw error;
          expect(['invalid_event', 'not_canonical']).toContain(error.code);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [{ name: '' }, "event of type 'tool_call': 'name' is empty"],
    [{ name: undefined }, "event of type 'tool_call': 'name' is missing"],
    [{ step: -1 }, "event of type 'tool_call': 'step' is not what the format allows"],
    [{ input: undefined }, "event of type 'tool_call': 'input' is missing"],
    [{ type: 'tool' }, "event of type 'tool': 'type' is not what the format allows"],
  ])('says which field of %j it refuses', (change, message) => {
    const event = { ...toolCallEvent({ name: 'n', input: 1 }), ...change } as unknown as TraceEvent;
    expect(() => checkEvent(event)).toThrowError(message);
  });
});
