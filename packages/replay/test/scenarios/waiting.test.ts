import { traceTool } from '@stepfork/recorder';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatReport, replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

const timed = traceTool({ name: 'timed', params: ['id', 'ms'] }, async (id: string, ms: number) => {
  await sleep(ms);
  return id;
});
const never = (): Promise<never> => new Promise(() => {});

afterEach(() => {
  vi.useRealTimers();
});

describe('fake timers', () => {
  it('do not stop a replay, nor does a replay move them', async () => {
    const agent = async (): Promise<unknown> => [
      ...(await Promise.all([timed('a', 8), timed('b', 2)])),
      await timed('c', 1),
    ];
    const path = await recordRun(agent);
    vi.useFakeTimers({ now: 1_000 });
    const report = await replay(path, asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: ['a', 'b', 'c'] });
    expect(Date.now()).toBe(1_000);
  });

  it('that fake more than timers do not stop one', async () => {
    const agent = async (): Promise<unknown> => Promise.all([timed('a', 8), timed('b', 2)]);
    const path = await recordRun(agent);
    vi.useFakeTimers({
      toFake: ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date', 'performance'],
    });
    expect((await replay(path, asAgent(agent))).verdict).toBe('matched');
  });

  it('do not hide a changed order', async () => {
    const path = await recordRun(() => Promise.all([timed('a', 8), timed('b', 2)]));
    vi.useFakeTimers();
    const report = await replay(
      path,
      asAgent(async () => [await timed('a', 8), await timed('b', 2)]),
    );
    expect(report.divergence?.code).toBe('reordered');
  });
});

describe('an agent that never settles', () => {
  it('has stalled: the report says so, and the process goes on', async () => {
    const path = await recordRun(async () => [await timed('a', 1)]);
    const report = await replay(
      path,
      asAgent(async () => {
        await timed('a', 1);
        await never();
      }),
      { noProgressMs: 60 },
    );
    expect(report).toMatchObject({
      verdict: 'diverged',
      facets: { execution: 'stalled', dependencies: 'matched' },
      divergence: null,
      notes: ['the run did not end: it waits for something outside the recording'],
    });
    expect(formatReport(report)).toContain('  output     none: the run did not end');
  });

  it('names the call that it waits for, where the recording has no outcome of it', async () => {
    const path = await recordRun(() => Promise.race([timed('loser', 60_000), timed('winner', 1)]));
    const report = await replay(
      path,
      asAgent(() => Promise.all([timed('loser', 60_000), timed('winner', 1)])),
      { noProgressMs: 60 },
    );
    expect(report.facets.execution).toBe('stalled');
    expect(report.notes).toEqual([
      "the run did not end: it waits for tool 'timed' (call #1), which has no recorded outcome",
    ]);
  });

  it('names its own waits', async () => {
    const path = await recordRun(() => timed('a', 1));
    const report = await replay(
      path,
      asAgent(async () => {
        await timed('a', 1);
        const { promise, clear } = longWait();
        clearLater = clear;
        await promise;
      }),
      { noProgressMs: 60 },
    );
    clearLater();
    expect(report.notes).toEqual(["the run did not end: it waits for the agent's own waits (1 Timeout)"]);
  });

  it('after it diverged has diverged, and not only stalled', async () => {
    const path = await recordRun(() => timed('a', 1));
    const report = await replay(
      path,
      asAgent(() => timed('b', 1).catch(never)),
      { noProgressMs: 60 },
    );
    expect(report).toMatchObject({ verdict: 'diverged', facets: { execution: 'stalled', dependencies: 'diverged' } });
    expect(report.divergence?.code).toBe('input_changed');
  });

  let clearLater: () => void = () => {};

  function longWait() {
    let timer: NodeJS.Timeout | undefined;
    const promise = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, 60_000);
    });
    return { promise, clear: () => clearTimeout(timer) };
  }
});

describe('an agent that waits by itself', () => {
  it('is waited for: between its calls, and in the middle of what is held', async () => {
    const agent = async (): Promise<unknown> => {
      const slow = timed('slow', 40);
      await sleep(15);
      const quick = await timed('quick', 2);
      await sleep(5);
      return [quick, await slow];
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: ['quick', 'slow'] });
  });
});
