import { record, traceAgent, traceTool } from '@stepfork/recorder';
import { loadTrace, type RuntimeRecord } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, bundlePath, recordRun } from '../recording.js';

const greet = traceTool('greet', async (input: { name: unknown }) => input);

describe('a replay that goes wrong at its first call', () => {
  it('says that the recording has no input', async () => {
    const path = await recordRun(() => greet({ name: 'ann' }));
    const report = await replay(path, (name: unknown) => record('agent', () => greet({ name })));
    expect(report.divergence?.code).toBe('input_changed');
    expect(report.notes).toEqual([
      'the recording holds no run input, so the entrypoint was called without arguments; option input gives some',
    ]);
  });

  it('says so where the recording lists other arguments than the entrypoint declares', async () => {
    const output = bundlePath();
    await traceAgent({ name: 'agent', output }, (name: string) => greet({ name }))('ann');
    const swapped = (_context: unknown, name: unknown) => record('agent', () => greet({ name }));
    expect((await replay(output, swapped)).notes).toEqual([
      'the recorded run input lists 1 argument, the entrypoint declares 2; option input gives others',
    ]);
    expect((await replay(output, swapped, { input: { args: ['x', 'bob'] } })).notes).toEqual([]);
    expect((await replay(output, (name: string) => greet({ name: name.length }))).notes).toEqual([]);
  });
});

describe('what the recorder remarked', () => {
  it('is noted: arguments that were changed, and a recording that was broken off', async () => {
    const agent = () => greet({ name: 'ann' });
    const trace = loadTrace(await recordRun(agent));
    const id = trace.events.find(({ type }) => type === 'tool_call')?.id;
    const remarks = [{ type: 'mutated', call_id: id, paths: ['/messages/0/content'] }, { type: 'truncated' }];
    const runtime = [...trace.runtime, ...(remarks as unknown as RuntimeRecord[])];
    const report = await replay({ ...trace, runtime }, asAgent(agent));
    expect(report.verdict).toBe('matched');
    expect(report.notes).toEqual([
      expect.stringContaining('the recording is truncated: its recorder stopped writing before the run ended'),
      "tool 'greet' (call #1) changed its argument (messages[0].content) when it was recorded, which a replay does not do again; have it return what it changes",
    ]);
  });
});

describe('an input that no recording can hold', () => {
  const watch = traceTool('watch', async (input: { readonly on: unknown }) => typeof input.on);

  it('is compared as far as it goes, which is noted', async () => {
    const path = await recordRun(() => watch({ on: () => 'cats' }));
    const report = await replay(
      path,
      asAgent(() => watch({ on: () => 'dogs' })),
    );
    expect(report.verdict).toBe('matched');
    expect(report.notes).toEqual([
      "tool 'watch' was compared without what could not be recorded of its input, at 'on'",
    ]);
  });
});
