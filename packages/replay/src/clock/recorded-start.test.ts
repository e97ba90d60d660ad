import { addEvent, createTrace, type RuntimeHeader, runStartEvent, type Trace } from '@stepfork/trace-format';
import { expect, test } from 'vitest';
import { recordedStart } from './recorded-start.js';

const HEADER: RuntimeHeader = {
  type: 'runtime',
  schema: 'stepfork-runtime/1',
  language: 'node',
  language_version: '20.20.2',
  recorder_version: '1.0.0',
  started_at_ms: Date.parse('2026-01-01T12:00:00.500Z'),
  time_zone: 'Asia/Kathmandu',
  tags: {},
  redaction: { ruleset: 'default', fingerprint: '' },
};

function traceOf(timestamps: readonly string[], runtime: Trace['runtime']): Trace {
  const trace = createTrace({ agentName: 'agent', createdAt: '2026-01-01T12:00:00Z' });
  for (const _ of timestamps) addEvent(trace, runStartEvent({}));
  const events = trace.events.map((event, i) => ({ ...event, timestamp: timestamps[i] ?? '' }));
  return { ...trace, events, runtime };
}

test('a run began at its first event, in the time zone that the recorder noted', () => {
  const trace = traceOf(['2026-01-01T12:00:01Z', '2026-01-01T12:00:02Z'], [HEADER]);
  expect(recordedStart(trace)).toEqual({
    startMs: Date.parse('2026-01-01T12:00:01Z'),
    timeZone: 'Asia/Kathmandu',
    timeOrigin: null,
  });
});

test('without an event whose time can be read, the header tells, or else the manifest', () => {
  expect(recordedStart(traceOf(['whenever', 'later'], [HEADER])).startMs).toBe(HEADER.started_at_ms);
  expect(recordedStart(traceOf([], [])).startMs).toBe(Date.parse('2026-01-01T12:00:00Z'));
});

test('the time zone is unknown where no recorder of ours noted it', () => {
  expect(recordedStart(traceOf([], [])).timeZone).toBeNull();
  // Such a header is written into a bundle of the Python original by the scrubbing of it.
  const scrubbed = { ...HEADER, language: 'python', recorder_version: 'none', time_zone: 'UTC' };
  expect(recordedStart(traceOf([], [scrubbed])).timeZone).toBeNull();
});
