import { type RecordingOptions, record, startRecording, traceAgent, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';

const WRONG: readonly [option: string, options: object][] = [
  ['sample', { sample: 1.5 }],
  ['sample', { sample: Number.NaN }],
  ['sample', { sample: 'half' }],
  ['keep', { keep: 'passed' }],
  ['keep', { keep: true }],
  ['onUnserializable', { onUnserializable: 'drop' }],
  ['limits.payloadBytes', { limits: { payloadBytes: 0 } }],
  ['limits.events', { limits: { events: '10' } }],
  ['limits.bundleBytes', { limits: { bundleBytes: Number.NaN } }],
  ['payload', { limits: { payload: 3 } }],
  ['samples', { samples: 0 }],
  ['output', { output: 1 }],
  ['overwrite', { overwrite: 'y' }],
  ['handleSignals', { handleSignals: 'yes' }],
  ['onError', { onError: 1 }],
  ['tags', { tags: { nested: {} } }],
];

describe.each(WRONG)('a wrong option %s', (option, wrong) => {
  it(`is refused before anything runs: ${JSON.stringify(wrong)}`, async () => {
    const options = wrong as RecordingOptions;
    let ran = false;
    const agent = (): void => {
      ran = true;
    };
    const refusal = expect.objectContaining({ code: 'invalid_argument', details: { option } });
    await expect(record('agent', options, agent)).rejects.toEqual(refusal);
    expect(() => traceAgent({ name: 'agent', ...options }, agent)).toThrow(refusal);
    expect(() => startRecording('agent', options)).toThrow(refusal);
    expect(ran).toBe(false);
  });
});

describe('a wrong option of a tool', () => {
  it.each<[string, object]>([
    ['parms', { parms: ['a'] }],
    ['errors', { errors: ['RateLimitError'] }],
  ])('%s is refused where the tool is made', (option, wrong) => {
    expect(() => traceTool({ name: 'tool', ...wrong }, () => 1)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', details: { option } }),
    );
  });
});
