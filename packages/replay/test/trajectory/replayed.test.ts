import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import {
  assertMaxSteps,
  assertToolArguments,
  assertToolCallCount,
  assertToolCalled,
  assertToolNotCalled,
  assertToolOrder,
  assertToolSequence,
  assertTrajectory,
  type ReplayReport,
  replay,
  trajectoryOf,
} from '../../src/index.js';
import { call, result, traceOf } from '../behaviours/traces.js';
import { asAgent, recordRun } from '../recording.js';
import { failureOf } from './reports.js';

const search = traceTool('search', async (from: string, to: string, day: Date) => [`${from}-${to} ${day.getTime()}`]);
const book = traceTool('book', async (input: { flight: string; apiKey: string; note?: string | undefined }) => {
  if (input.note !== undefined) return 'booked';
  throw new Error('sold out');
});
const login = traceTool('login', async (input: { user: string }) => ({ ...input, token: 'tok-4711-4711-4711' }));
const ask = (prompt: string) =>
  llmRequest({ provider: 'acme', model: 'small-1', input: { prompt }, call: async () => ({ text: prompt }) });

const DAY = new Date('2026-03-01T00:00:00Z');

async function trip(): Promise<unknown> {
  const [flight = ''] = await search('LIS', 'CDG', DAY);
  await ask('which one?');
  await book({ flight, apiKey: 'key-1', note: undefined }).catch(() => {});
  return book({ flight, apiKey: 'key-2', note: 'window' });
}

describe('the calls of a replayed agent', () => {
  it('B241 count where they failed, and a step is a call of a tool or of a model', async () => {
    const report = await replay(await recordRun(trip), asAgent(trip));
    assertToolCalled(report, 'book');
    assertToolNotCalled(report, 'login');
    assertToolCallCount(report, 'book', 2);
    assertToolOrder(report, 'search', 'book');
    assertToolOrder(report, 'book', 'book');
    assertToolSequence(report, ['search', 'book', 'book']);
    assertToolSequence(report, ['search', 'book'], { strict: false });
    assertMaxSteps(report, 4);
    expect(trajectoryOf(report).map(({ kind, name, status }) => `${kind} ${name} ${status}`)).toEqual([
      'tool search ok',
      'llm small-1 ok',
      'tool book error',
      'tool book ok',
    ]);
  });

  it('B242 have the arguments that were given, encoded and redacted as the recorder does', async () => {
    const report = await replay(await recordRun(trip), asAgent(trip));
    const flight = `LIS-CDG ${DAY.getTime()}`;
    assertToolArguments(report, 'search', { args: ['LIS', 'CDG', DAY] });
    assertToolArguments(report, 'book', { flight, apiKey: 'another', note: undefined }, { occurrence: 1 });
    assertToolArguments(report, 'book', { flight, apiKey: '[REDACTED]', note: 'window' }, { occurrence: 2 });
    assertTrajectory(report, {
      arguments: trajectoryOf(report)
        .filter(({ kind }) => kind === 'tool')
        .map(({ name, input }) => ({ name, value: JSON.parse(JSON.stringify(input)) as unknown })),
    });
    expect(failureOf(() => assertToolArguments(report, 'book', { flight, apiKey: 'key-1' }))).toContain(
      'but none of its 2 calls has; the nearest is call #3:\n  note: expected nothing, got {"$stepfork":"undefined"}\n',
    );
  });

  it('B242 are redacted where only the run could know of a secret, and the failure says so', async () => {
    const agent = async (): Promise<unknown> => {
      const { token } = await login({ user: 'ada' });
      return search(token, 'CDG', DAY);
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    assertToolArguments(report, 'search', { args: ['[REDACTED]', 'CDG', DAY] });
    expect(
      failureOf(() => assertToolArguments(report, 'search', { args: ['tok-4711-4711-4711', 'CDG', DAY] })),
    ).toContain('\n  args[0]: expected "tok-4711-4711-4711", got "[REDACTED]"\n  only one side is redacted: ');
  });

  it('B242 are redacted under the rules of the Python original where its recording was', async () => {
    const recorded = traceOf(call('login', { token: 'abcdefgh1' }, { id: 'a' }), result('login', 1, { under: 'a' }));
    const python = { ...recorded, runtime: [] };
    const report = await replay(python, () => login({ token: 'abcdefgh1' } as never));
    assertToolArguments(report, 'login', { token: 'abcdefgh1' });
    expect(failureOf(() => assertToolArguments(report, 'login', { token: 'another' }))).not.toBeNull();
  });

  it('B241 are those that were asked for: what a tool calls inside is not among them', async () => {
    const inner = traceTool('inner', async (input: { n: number }) => input.n);
    const outer = traceTool('outer', async (input: { n: number }) => inner(input));
    const agent = () => outer({ n: 1 });
    const report = await replay(await recordRun(agent), asAgent(agent));
    assertToolSequence(report, ['outer']);
    assertMaxSteps(report, 1);
  });
});

describe('B240 a replay that is not the recorded run', () => {
  const all = (report: ReplayReport): readonly (string | null)[] =>
    [
      () => assertToolCalled(report, 'search'),
      () => assertToolNotCalled(report, 'refund'),
      () => assertToolCallCount(report, 'search', 1),
      () => assertToolArguments(report, 'search', { args: ['LIS', 'CDG', DAY] }),
      () => assertToolOrder(report, 'search', 'book'),
      () => assertToolSequence(report, ['search'], { strict: false }),
      () => assertMaxSteps(report, 100),
      () => assertTrajectory(report, {}),
    ].map(failureOf);

  it('fails every assertion, although the agent swallowed the mismatch', async () => {
    const swallowing = async (): Promise<unknown> => {
      const [flight = ''] = await search('LIS', 'CDG', DAY);
      await ask('which of these?').catch(() => {});
      await book({ flight, apiKey: 'key-1', note: undefined }).catch(() => {});
      return 'booked';
    };
    const report = await replay(await recordRun(trip), asAgent(swallowing));
    expect(report.error).toBeNull();
    for (const failure of all(report)) {
      expect(failure).toMatch(
        /^trajectory not judged, the replay diverged: call #2: LLM 'acme\/small-1' .*\(input_changed\)\n {2}at \S*replayed\.test\.ts:\d+:\d+\nthe replayed run made 3 calls:\n/,
      );
    }
  });

  it('fails every assertion where recorded calls never came', async () => {
    const report = await replay(
      await recordRun(trip),
      asAgent(async () => search('LIS', 'CDG', DAY)),
    );
    for (const failure of all(report)) expect(failure).toContain('replay diverged: recorded call #2');
  });

  it('fails every assertion where the run never ends', async () => {
    const agent = async (): Promise<unknown> => search('LIS', 'CDG', DAY);
    const endless = async (): Promise<unknown> => {
      await agent();
      return new Promise(() => {});
    };
    const report = await replay(await recordRun(agent), asAgent(endless), { noProgressMs: 50 });
    for (const failure of all(report)) {
      expect(failure).toContain('replay is incomplete: the run did not come to its end\n  the run did not end: ');
    }
  });

  it('is judged where the run itself failed: its calls were the recorded ones', async () => {
    const failing = async (): Promise<unknown> => {
      await search('LIS', 'CDG', DAY);
      throw new Error('no seats');
    };
    const report = await replay(await recordRun(failing), () => record('agent', failing));
    expect(report.verdict).toBe('reproduced-failure');
    assertToolSequence(report, ['search']);
  });
});
