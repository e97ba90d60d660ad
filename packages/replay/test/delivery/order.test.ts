import { traceTool } from '@stepfork/recorder';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

/** Takes as long as it is told, and says which one it was. */
const timed = traceTool({ name: 'timed', params: ['id', 'ms'] }, async (id: string, ms: number) => {
  await sleep(ms);
  return id;
});

describe('outcomes', () => {
  it('of ten parallel calls come in the order in which they were recorded, whatever the order of the starts', async () => {
    const latencies = [90, 10, 70, 30, 50, 20, 80, 0, 60, 40];
    const agent = async (): Promise<string[]> => {
      const finished: string[] = [];
      await Promise.all(latencies.map(async (ms, i) => finished.push(await timed(`call ${i}`, ms))));
      return finished;
    };
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report.verdict).toBe('matched');
    expect(report.output).not.toEqual(latencies.map((_, i) => `call ${i}`));
    expect(report.output).toEqual(report.recording.output);
    expect(report.counts).toEqual({ recorded: 10, substituted: 10, executed: 0 });
  });

  it('of a thousand parallel calls, too', async () => {
    const agent = async (): Promise<number[]> => {
      const finished: number[] = [];
      const shuffled = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1000);
      await Promise.all(
        shuffled.map(async (n) => {
          await timed(String(n), n % 53);
          finished.push(n);
        }),
      );
      return finished;
    };
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report.verdict).toBe('matched');
    expect(report.counts.substituted).toBe(1000);
  });

  it('decide a race as they did in the recording', async () => {
    const agent = async (): Promise<unknown> => {
      const winner = await Promise.race([timed('slow', 40), timed('fast', 5)]);
      return [winner, await timed(`after ${winner}`, 1)];
    };
    const path = await recordRun(agent);
    for (let i = 0; i < 20; i++) expect((await replay(path, asAgent(agent))).verdict).toBe('matched');
  });

  it('that were not there when the run ended never come, and that is no divergence', async () => {
    const agent = (): Promise<unknown> => Promise.race([timed('loser', 60_000), timed('winner', 5)]);
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report.verdict).toBe('matched');
    expect(report.calls.map(({ status }) => status)).toEqual(['pending', 'ok']);
  });

  it('that are failures are thrown again, and a retry gets the next recording', async () => {
    let attempts = 0;
    const flaky = traceTool('flaky', async () => {
      await sleep(1);
      if (++attempts < 3) throw Object.assign(new RangeError('busy'), { status: 429 });
      return 'done';
    });
    const agent = async (): Promise<unknown> => {
      const seen: unknown[] = [];
      for (;;) {
        try {
          return [...seen, await flaky()];
        } catch (error) {
          seen.push([error instanceof RangeError, (error as Error).message, (error as { status: number }).status]);
          await sleep(2);
        }
      }
    };
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report.output).toEqual([[true, 'busy', 429], [true, 'busy', 429], 'done']);
    expect(report.verdict).toBe('matched');
    expect(attempts).toBe(3);
  });
});

describe('a race against a timeout', () => {
  const timeout = async (ms: number): Promise<string> => {
    await sleep(ms);
    return 'timeout';
  };

  it('that the timeout won is won by it again, though the answer came later', async () => {
    // Nothing is called when the timeout wins, so only the recording's times tell that it did.
    const agent = (): Promise<unknown> =>
      Promise.all([Promise.race([timed('late', 120), timeout(30)]), timed('longest', 160)]);
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report.output).toEqual(['timeout', 'longest']);
    expect(report.verdict).toBe('matched');
  });

  it('that the answer won does not wait for the timeout', async () => {
    const agent = (): Promise<unknown> => Promise.race([timed('soon', 5), timeout(600_000)]);
    const path = await recordRun(agent);
    expect((await replay(path, asAgent(agent))).verdict).toBe('matched');
  });

  it('by AbortSignal.timeout is decided as recorded', async () => {
    const agent = async (): Promise<unknown> => {
      const aborted = new Promise((resolve) => {
        AbortSignal.timeout(30).addEventListener('abort', () => resolve('aborted'));
      });
      return Promise.all([Promise.race([timed('late', 120), aborted]), timed('longest', 160)]);
    };
    const path = await recordRun(agent);
    expect((await replay(path, asAgent(agent))).output).toEqual(['aborted', 'longest']);
  });
});

describe('synchronous tools', () => {
  const now = traceTool('now', (id: string) => `now ${id}`);

  it('answer at once, in between', async () => {
    const agent = async (): Promise<unknown> => {
      const pending = timed('a', 20);
      return [now('x'), await pending, now('y')];
    };
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report.output).toEqual(['now x', 'a', 'now y']);
    expect(report.early).toEqual([]);
  });

  it('that come before their place while something else goes on are answered, and listed as early', async () => {
    const path = await recordRun(async () => {
      const pending = timed('a', 10);
      await sleep(1);
      now('x');
      await pending;
      return now('y');
    });
    const report = await replay(
      path,
      asAgent(async () => {
        const pending = timed('a', 10);
        now('y');
        now('x');
        await pending;
        return 'now y';
      }),
    );
    expect(report.verdict).toBe('matched');
    expect(report.early.map(({ index }) => index)).toEqual([2]);
  });

  it('that throw, throw', async () => {
    const strict = traceTool('strict', (value: number) => {
      if (value < 0) throw new TypeError('negative');
      return value;
    });
    const agent = (): unknown => {
      try {
        return strict(-1);
      } catch (error) {
        return error instanceof TypeError && error.message;
      }
    };
    const path = await recordRun(agent);
    expect((await replay(path, asAgent(agent))).output).toBe('negative');
  });
});

describe('functions that answer at once by a promise', () => {
  it('go forward hand in hand where the recording tells their turns', async () => {
    const think = traceTool('think', async (input: { step: number; branch: string; seen: string[] }) => input.step);
    const agent = async (): Promise<string[]> => {
      const seen: string[] = [];
      const branch = async (name: string): Promise<void> => {
        for (let step = 0; step < 3; step++) {
          await think({ step, branch: name, seen: [...seen] });
          seen.push(`${name}${step}`);
        }
      };
      await Promise.all([branch('a'), branch('b')]);
      return seen;
    };
    const trace = withTurns(loadTrace(await recordRun(agent)));
    const report = await replay(trace, asAgent(agent));
    expect(report.output).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
    expect(report.verdict).toBe('matched');
  });

  /** All of the run happened in one turn of the event loop. */
  function withTurns(trace: Trace): Trace {
    const runtime = trace.runtime.map((record) =>
      record.type === 'call' ? { ...record, turns: [1, 1] as const } : record,
    );
    return { ...trace, runtime };
  }
});

describe('a recorded object', () => {
  it('comes back with its keys in the order in which the agent saw them', async () => {
    const lookup = traceTool('lookup', async (): Promise<object> => ({ zeta: 1, alpha: { y: 2, b: 3 } }));
    const prompt = traceTool('prompt', async (text: string) => text.length);
    const agent = async (): Promise<unknown> => prompt(JSON.stringify(await lookup()));
    const path = await recordRun(agent);
    expect((await replay(path, asAgent(agent))).divergence).toBeNull();
  });
});
