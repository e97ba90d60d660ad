import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { llmRequest, type RecordingOptions, record, startRecording, traceAgent, traceTool } from '@stepfork/recorder';
import { loadTrace } from '@stepfork/trace-format';
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
  ['clock', { clock: 1 }],
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
    ['params', { params: 'ab' }],
    ['params', { params: [Symbol('x')] }],
    ['input', { input: 5 }],
    ['codec', { codec: {} }],
    ['codec', { codec: { encode: () => 1 } }],
    ['chunkCodec', { chunkCodec: 7 }],
    ['replayPolicy', { replayPolicy: 'bogus' }],
  ])('%s is refused where the tool is made', (option, wrong) => {
    expect(() => traceTool({ name: 'tool', ...wrong }, () => 1)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', details: { option } }),
    );
  });

  it('may be null, which is none', () => {
    const options = { name: 'tool', params: null, input: null, codec: null, chunkCodec: null, replayPolicy: null };
    expect(traceTool(options as never, () => 1)()).toBe(1);
  });
});

describe('a wrong option of a request', () => {
  it('does not stop the request', async () => {
    const output = join(mkdtempSync(join(tmpdir(), 'stepfork-request-')), 'run.sftrace');
    const wrong = { replayPolicy: 'bogus', usage: () => undefined, codec: 5, provider: 7 } as object;
    const asked = (): Promise<string> => llmRequest({ model: '', input: 1, call: async () => 'x', ...wrong });
    expect(await record('agent', { output }, asked)).toBe('x');
    const { status, events } = loadTrace(output);
    expect(status).toBe('completed');
    expect(events[1]).toMatchObject({ type: 'llm_request', model: 'unknown', provider: null, replay_policy: 'frozen' });
    expect(events[2]).toMatchObject({ type: 'llm_response', total_tokens: null });
    rmSync(dirname(output), { recursive: true });
  });
});
