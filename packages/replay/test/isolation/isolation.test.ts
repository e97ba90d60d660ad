import { AsyncResource } from 'node:async_hooks';
import { record, traceAgent, traceTool } from '@stepfork/recorder';
import { loadTrace } from '@stepfork/trace-format';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, bundlePath, recordRun, sleep } from '../recording.js';

const { setTimeout: realTimeout } = globalThis;

/** Also under fake timers. */
function realSleep(ms: number): Promise<void> {
  return new Promise((resolve) => realTimeout(resolve, ms));
}

let bodies = 0;
const timed = traceTool({ name: 'timed', params: ['id', 'ms'] }, async (id: string, ms: number) => {
  bodies++;
  await sleep(ms);
  return id;
});

afterEach(() => {
  vi.useRealTimers();
  bodies = 0;
});

describe('a replay', () => {
  it('goes on under fake timers', async () => {
    const agent = (): Promise<unknown> => Promise.all([timed('a', 10), timed('b', 3)]);
    const path = await recordRun(agent);
    vi.useFakeTimers();
    expect((await replay(path, asAgent(agent))).verdict).toBe('matched');
    const swapped = await replay(
      path,
      asAgent(async () => [await timed('b', 3), await timed('a', 10)]),
    );
    expect(swapped.verdict).toBe('diverged');
  });

  it('waits for a fake timer that the test is to move', async () => {
    const agent = async (): Promise<unknown> => {
      const first = timed('first', 20);
      await sleep(5);
      return [await timed('second', 20), await first];
    };
    const path = await recordRun(agent);
    vi.useFakeTimers();
    const replaying = replay(path, asAgent(agent));
    await realSleep(150);
    await vi.advanceTimersByTimeAsync(5);
    expect((await replaying).verdict).toBe('matched');
  });

  it('does not disturb another one', async () => {
    const agentOf = (name: string) => async () => {
      const first = await Promise.race([timed(`${name} slow`, 30), timed(`${name} fast`, 5)]);
      await sleep(5);
      return [first, await timed(`${name} last`, 3)];
    };
    const names = ['a', 'b', 'c', 'd'];
    const paths = await Promise.all(names.map((name) => recordRun(agentOf(name))));
    bodies = 0;
    const reports = await Promise.all(names.map((name, i) => replay(paths[i] ?? '', asAgent(agentOf(name)))));
    expect(reports.map(({ verdict }) => verdict)).toEqual(names.map(() => 'matched'));
    expect(bodies).toBe(0);
  });

  it('that diverges while another one runs is told apart from one that waits, after the limit', async () => {
    const path = await recordRun(() => Promise.all([timed('a', 10), timed('b', 3)]));
    const patient = await recordRun(async () => {
      await timed('a', 1);
      await sleep(300);
    });
    const serial = asAgent(async () => [await timed('a', 10), await timed('b', 3)]);
    const [swapped, other] = await Promise.all([
      replay(path, serial, { noProgressMs: 60 }),
      replay(
        patient,
        asAgent(async () => {
          await timed('a', 1);
          await sleep(300);
        }),
      ),
    ]);
    expect(swapped.divergence?.code).toBe('reordered');
    expect(other.verdict).toBe('matched');
  });

  it('inside a recorded run is not recorded, and wins', async () => {
    const path = await recordRun(() => timed('inner', 1));
    const outer = bundlePath();
    bodies = 0;
    const report = await record('outer', { output: outer }, () =>
      replay(
        path,
        asAgent(() => timed('inner', 1)),
      ),
    );
    expect(report.verdict).toBe('matched');
    expect(bodies).toBe(0);
    expect(loadTrace(outer).totals.tool_calls).toBe(0);
  });

  it('never runs a body for a call that comes when it is over', async () => {
    const path = await recordRun(() => 'done');
    let late: Promise<unknown> | null = null;
    const report = await replay(
      path,
      asAgent(() => {
        late = sleep(20).then(() => timed('late', 1));
        late.catch(() => {});
        return 'done';
      }),
    );
    expect(report.verdict).toBe('matched');
    await expect(late).rejects.toMatchObject({ code: 'replay_ended' });
    expect(bodies).toBe(0);
  });

  it('refuses, and notes, a call that comes while it ends', async () => {
    const path = await recordRun(() => timed('a', 1));
    const report = await replay(path, async () => {
      const result = await record('agent', () => timed('a', 1));
      await timed('late', 1).catch(() => null);
      return result;
    });
    expect(report.verdict).toBe('matched');
    expect(report.notes).toContain(
      "tool 'timed' was called after the agent had ended, so it was not run; await it inside the agent",
    );
  });

  it('takes in a boundary that was reached without any context, where it is the only one', async () => {
    const outside = new AsyncResource('outside');
    const agent = (): Promise<unknown> => outside.runInAsyncScope(() => timed('lost', 1));
    const path = await recordRun(agent);
    bodies = 0;
    expect((await replay(path, asAgent(agent))).verdict).toBe('matched');
    expect(bodies).toBe(0);
  });

  it('refuses such a boundary where there are several', async () => {
    const outside = new AsyncResource('outside');
    const agent = async (): Promise<unknown> => {
      await timed('a', 1);
      return outside.runInAsyncScope(() => timed('lost', 1));
    };
    const path = await recordRun(agent);
    bodies = 0;
    const reports = await Promise.all([1, 2].map(() => replay(path, asAgent(agent), { noProgressMs: 100 })));
    expect(reports.map(({ verdict }) => verdict)).toEqual(['diverged', 'diverged']);
    expect(reports[0]?.error?.message).toMatch(/outside any run's async context/);
    expect(bodies).toBe(0);
  });

  it('runs a traced agent with its recorded arguments', async () => {
    const output = bundlePath();
    const run = traceAgent({ name: 'sum', output, overwrite: true }, async (a: number, b: number) => {
      await timed(`${a}`, 1);
      return a + b;
    });
    await run(2, 3);
    const report = await replay(output, run);
    expect(report).toMatchObject({ verdict: 'matched', output: 5 });
    expect((await replay(output, run, { input: { args: [2, 4] } })).verdict).toBe('output-changed');
  });
});
