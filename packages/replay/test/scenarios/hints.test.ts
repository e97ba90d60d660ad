import { llmRequest, record, traceAgent, traceTool } from '@stepfork/recorder';
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
    const ignoring = [
      "if this may differ from run to run, option ignore leaves it out: ignore: { 'tool:greet': ['/name'] }",
    ];
    expect((await replay(output, swapped, { input: { args: ['x', 'bob'] } })).notes).toEqual(ignoring);
    expect((await replay(output, (name: string) => greet({ name: name.length }))).notes).toEqual(ignoring);
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

describe('an input that is another', () => {
  const ask = (provider: string | null, input: Record<string, unknown>): Promise<string> =>
    llmRequest({ ...(provider !== null && { provider }), model: 'acme-mini', input, call: async () => 'Yes.' });
  const notesOn = async (
    recorded: Record<string, unknown>,
    live: Record<string, unknown>,
    provider: string | null = 'acme',
  ): Promise<readonly string[]> => {
    const output = bundlePath();
    await record('agent', { output, input: {} }, () => ask(provider, recorded));
    const agent = () => record('agent', () => ask(provider, live));
    return (await replay(output, agent)).notes;
  };
  const lets = (rule: string): string[] => [
    `if this may differ from run to run, option ignore leaves it out: ignore: ${rule}`,
  ];
  const messages = (...contents: readonly string[]) => ({ messages: contents.map((content) => ({ content })) });

  it('is told of with the rule that lets it pass', async () => {
    expect(await notesOn(messages('a', 'b'), messages('a', 'c'))).toEqual(
      lets("{ 'llm:acme/acme-mini': ['/messages/1/content'] }"),
    );
    expect(await notesOn({ 'a/b': { "it's": 1, c: 2 } }, { 'a/b': { "it's": 2 } })).toEqual(
      lets(`{ 'llm:acme/acme-mini': ['/a~1b/c', "/a~1b/it's"] }`),
    );
    expect(await notesOn({ a: 1 }, { a: 2 }, '')).toEqual(lets("{ 'llm:acme-mini': ['/a'] }"));
  });

  it('passes under that rule', async () => {
    const path = await recordRun(() => ask('acme', messages('a', 'b')));
    const ignore = { 'llm:acme/acme-mini': ['/messages/1/content'] };
    const other = asAgent(() => ask('acme', messages('a', 'c')));
    expect((await replay(path, other, { ignore })).verdict).toBe('matched');
  });

  it('is given no rule where none would do, or where it differs in many places', async () => {
    expect(await notesOn(messages('a'), messages('a', 'b'))).toEqual([]);
    expect(await notesOn(messages('a', 'b', 'c', 'd', 'e'), messages('A', 'B', 'C', 'D', 'E'))).toEqual([]);
  });

  it('needs an exact clock where only times differ', async () => {
    const exact = [
      'the inputs differ in times that the agent read off its clock; record(…, { clock: true }) keeps exact times',
    ];
    const at = (ms: number) => ({
      text: `It is ${new Date(ms).toISOString()}.`,
      since: `since ${Math.floor(ms / 1000)}`,
      ms,
    });
    const now = Date.now();
    expect(await notesOn(at(now), at(now + 900))).toEqual(exact);
    expect(await notesOn(at(now), { ...at(now + 900), text: 'no time' })).not.toEqual(exact);
    const [note] = await notesOn(at(now), at(now + 86_400_000));
    expect(note).toContain("ignore: { 'llm:acme/acme-mini': ['/ms', '/since', '/text'] }");
  });

  it('is told of where it went to a live model', async () => {
    const path = await recordRun(async () => [await ask('acme', { a: 1 }), await ask('acme', { a: 2 })]);
    const agent = asAgent(async () => [await ask('acme', { a: 1 }), await ask('acme', { a: 3 })]);
    const report = await replay(path, agent, { mode: 'hybrid', liveLlms: ['acme/acme-mini'] });
    expect(report.verdict).toBe('matched');
    expect(report.notes).toEqual(["1 live call had another input than recorded: LLM 'acme/acme-mini' (call #2)"]);
  });
});

describe('calls in another order', () => {
  it('are accepted by an option', async () => {
    const other = traceTool('other', async (input: { name: string }) => input);
    const path = await recordRun(async () => [await greet({ name: 'ann' }), await other({ name: 'bob' })]);
    const swapped = asAgent(async () => {
      const bob = await other({ name: 'bob' });
      return [await greet({ name: 'ann' }), bob];
    });
    const report = await replay(path, swapped, { input: {} });
    expect(report.divergence?.code).toBe('reordered');
    expect(report.notes).toEqual([
      "if the order of these calls does not matter, option order accepts any: order: 'any'",
    ]);
    expect((await replay(path, swapped, { order: 'any' })).verdict).toBe('matched');
  });

  it('are not recommended where one of them does not come any more', async () => {
    const other = traceTool('other', async (input: { name: string }) => input);
    const path = await recordRun(async () => [await greet({ name: 'ann' }), await other({ name: 'bob' })]);
    const report = await replay(
      path,
      asAgent(async () => [await other({ name: 'bob' })]),
      { input: {} },
    );
    expect(report.divergence?.code).toBe('reordered');
    expect(report.notes).toEqual([
      "tool 'greet' had not come when the run ended: if it still comes, only later, option order accepts any: order: 'any'; if it is not called any more, that is what changed",
    ]);
  });
});
