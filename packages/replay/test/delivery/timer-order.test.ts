import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { type ReplayOptions, type ReplayReport, replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

const call = traceTool('call', async (ms: number) => {
  await sleep(ms);
  return ms;
});
const save = traceTool('save', async (value: unknown) => value);

/** Replays what was recorded of the same agent. */
async function again(agent: () => Promise<unknown>, options: ReplayOptions = {}): Promise<ReplayReport> {
  return replay(await recordRun(agent), asAgent(agent), options);
}

/** Keeps this thread from everything else. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

describe('waits of parallel branches', () => {
  // What each call took is gone in a replay: the waits behind them begin side by side.
  const branches: Readonly<Record<string, readonly (readonly [call: number, wait: number])[]>> = {
    'the longer wait was over first': [
      [50, 300],
      [250, 150],
    ],
    'three of them, the longest first': [
      [10, 260],
      [130, 190],
      [230, 140],
    ],
    'they end as they began': [
      [20, 50],
      [60, 80],
    ],
  };

  it.each(Object.entries(branches))('end in the recorded order: %s', async (_what, rows) => {
    const agent = async (): Promise<unknown> => {
      const order: string[] = [];
      await Promise.all(
        rows.map(async ([answer, wait]) => {
          await call(answer);
          await sleep(wait);
          order.push(`${answer}`);
        }),
      );
      return save(order);
    };
    expect((await again(agent)).verdict).toBe('matched');
  });

  it('decide a race as they did', async () => {
    const agent = async (): Promise<unknown> => {
      let first: number | null = null;
      const take = async (answer: number, wait: number): Promise<void> => {
        await call(answer);
        await sleep(wait);
        first ??= answer;
      };
      await Promise.all([take(20, 200), take(150, 150)]);
      return save(first);
    };
    expect(await again(agent)).toMatchObject({ verdict: 'matched', output: 20 });
    expect(await again(agent, { skipSleeps: true })).toMatchObject({ verdict: 'matched', output: 20 });
  });

  it('follow one another as they did, with calls in between', async () => {
    const agent = async (): Promise<unknown> => {
      const order: string[] = [];
      const go = async (name: string, ...times: readonly number[]): Promise<void> => {
        for (const [index, ms] of times.entries()) {
          await (index % 2 === 0 ? call(ms) : sleep(ms));
          order.push(`${name}${index}`);
        }
      };
      await Promise.all([go('a', 20, 160, 10, 130), go('b', 90, 150, 60, 110), go('c', 140, 350)]);
      return save(order);
    };
    expect((await again(agent)).verdict).toBe('matched');
  });

  it('tell the time as they did', async () => {
    const agent = async (): Promise<unknown> => {
      const began = Date.now();
      const tell = async (answer: number, wait: number): Promise<number> => {
        await call(answer);
        await sleep(wait);
        // A busy machine comes late to a timer.
        return Math.round((Date.now() - began) / 400);
      };
      return Promise.all([tell(400, 800), tell(1_000, 600)]);
    };
    expect(await again(agent)).toMatchObject({ verdict: 'matched', output: [3, 4] });
  });

  it('may be cleared, and then hold nobody back', async () => {
    const agent = async (): Promise<unknown> => {
      const slow = (async () => {
        await call(30);
        const far = setTimeout(() => {}, 60_000);
        await call(200);
        clearTimeout(far);
      })();
      const quick = (async () => {
        await call(120);
        await sleep(20);
      })();
      await Promise.all([slow, quick]);
      return save('done');
    };
    expect((await again(agent)).verdict).toBe('matched');
  });

  it('are as they would be once the run has left the recording', async () => {
    const path = await recordRun(async () => {
      await call(10);
      await sleep(20);
      return call(11);
    });
    const report = await replay(
      path,
      asAgent(async () => {
        const order: number[] = [];
        const wait = async (ms: number): Promise<number> => {
          await sleep(ms);
          return order.push(ms);
        };
        await call(99).catch(() => {});
        await Promise.all([wait(120), wait(40), wait(80)]);
        return order;
      }),
    );
    expect(report).toMatchObject({ verdict: 'diverged', output: [40, 80, 120] });
  });

  it('that go on after the replay come then', async () => {
    const late: string[] = [];
    const agent = async (): Promise<unknown> => {
      setTimeout(() => late.push('later'), 150);
      setTimeout(() => late.push('late'), 100);
      return call(20);
    };
    const path = await recordRun(agent);
    await sleep(200);
    late.length = 0;
    expect((await replay(path, asAgent(agent))).verdict).toBe('matched');
    await sleep(300);
    expect(late).toEqual(['late', 'later']);
  });
});

describe('on a machine that has no time for the replay', () => {
  it('a timeout does not come before the answer that came before it', async () => {
    const agent = async (): Promise<unknown> => {
      const answers: unknown[] = [];
      for (const ms of [5, 10, 15]) {
        const late = sleep(60).then(() => 'too late');
        answers.push(await Promise.race([call(ms), late]));
      }
      return answers;
    };
    const path = await recordRun(agent);
    const blocking = setInterval(() => block(150), 1);
    const report = await replay(path, asAgent(agent)).finally(() => clearInterval(blocking));
    expect(report).toMatchObject({ verdict: 'matched', output: [5, 10, 15] });
  });

  it('waits end one by one, with what follows from each before the next', async () => {
    const agent = async (): Promise<unknown> => {
      const order: unknown[] = [];
      await Promise.all(
        [50, 90, 130].map(async (ms) => {
          await sleep(ms);
          order.push(await call(ms / 10));
        }),
      );
      return save(order);
    };
    const path = await recordRun(agent);
    const blocking = setInterval(() => block(150), 1);
    const report = await replay(path, asAgent(agent)).finally(() => clearInterval(blocking));
    expect(report.verdict).toBe('matched');
  });
});

describe('a timer that is set in the same breath as a call', () => {
  const programs: Readonly<Record<string, () => Promise<unknown>>> = {
    'a budget for several calls': async () => {
      const work = async (): Promise<string> => {
        for (let n = 0; n < 4; n++) await call(100);
        return 'complete';
      };
      const answer = await Promise.race([sleep(250).then(() => 'gave up'), work()]);
      await sleep(300);
      return answer;
    },
    'a wait that changes what a later call is given': async () => {
      let status = 'fresh';
      const wait = sleep(250).then(() => {
        status = 'stale';
      });
      const calls = (async () => {
        await call(50);
        await call(400);
        await save(status);
      })();
      await Promise.all([wait, calls]);
      return status;
    },
    'a timer that nobody waits for': async () => {
      const log: string[] = [];
      const idle = setTimeout(() => log.push('idle'), 250);
      await call(50);
      await call(400);
      clearTimeout(idle);
      return log;
    },
    'a watchdog that is armed anew': async () => {
      const log: string[] = [];
      const watchdog = setTimeout(() => log.push('slow'), 150);
      for (const ms of [50, 60, 250, 40]) {
        await call(ms);
        watchdog.refresh();
      }
      clearTimeout(watchdog);
      return log;
    },
    'a watchdog that is armed anew within a moment': async () => {
      let count = 0;
      const watchdog = setTimeout(() => count++, 150);
      for (let n = 0; n < 5; n++) {
        await call(70);
        watchdog.refresh();
      }
      const before = count;
      await call(300);
      return [before, count];
    },
    'a signal for the whole run': async () => {
      const signal = AbortSignal.timeout(500);
      const done: number[] = [];
      for (let n = 0; n < 4 && !signal.aborted; n++) done.push(await call(200));
      return done.length;
    },
  };

  it.each(Object.entries(programs))('ends where it did, though the call is answered: %s', async (_what, agent) => {
    expect((await again(agent)).verdict).toBe('matched');
    expect((await again(agent, { skipSleeps: true })).verdict).toBe('matched');
  });

  it('is no budget that a changed agent may pass', async () => {
    const agent = (ms: number) => async (): Promise<unknown> => {
      const work = async (): Promise<string> => {
        for (let n = 0; n < 5; n++) await call(80);
        return 'complete';
      };
      return Promise.race([sleep(ms).then(() => 'gave up'), work()]);
    };
    const path = await recordRun(agent(5_000));
    expect((await replay(path, asAgent(agent(5_000)))).verdict).toBe('matched');
    const report = await replay(path, asAgent(agent(200)));
    expect(report).toMatchObject({ output: 'gave up' });
    expect(report.verdict).not.toBe('matched');
  });
});

describe('a timer', () => {
  it('is over once, whatever context its callback enters', async () => {
    const agent = async (): Promise<unknown> => {
      const log: string[] = [];
      const enter = AsyncLocalStorage.snapshot();
      const resource = new AsyncResource('agent');
      await new Promise<void>((resolve) => {
        setTimeout(() => enter(() => void call(5).then(() => log.push('one'))), 20);
        setTimeout(() => resource.runInAsyncScope(() => void call(6).then(() => log.push('two'))), 40);
        setTimeout(resolve, 120);
      });
      return log;
    };
    for (let i = 0; i < 3; i++)
      expect(await again(agent)).toMatchObject({ verdict: 'matched', output: ['one', 'two'] });
  });

  it('that is armed anew by the clock until its time has come does so as often as it did', async () => {
    const agent = async (): Promise<unknown> => {
      const times: number[] = [];
      let last = Date.now();
      const quiet = new Promise<void>((resolve) => {
        const expired = (): void => {
          times.push(1);
          const left = 60 - (Date.now() - last);
          if (left <= 0) resolve();
          else setTimeout(expired, left);
        };
        setTimeout(expired, 60);
      });
      for (const ms of [30, 30]) {
        await call(ms);
        last = Date.now();
      }
      await quiet;
      await save('quiet');
      return times.length < 6;
    };
    expect(await again(agent)).toMatchObject({ verdict: 'matched', output: true });
    expect(await again(agent, { skipSleeps: true })).toMatchObject({ verdict: 'matched', output: true });
  });

  it('may be one of many before an answer', async () => {
    const agent = async (): Promise<unknown> => {
      let state = 'cold';
      const warmUp = (async () => {
        for (let n = 0; n < 24; n++) await sleep(10);
        state = 'ready';
      })();
      await call(600);
      await save(state);
      await warmUp;
      return state;
    };
    expect((await again(agent)).verdict).toBe('matched');
  });
});

describe('thousands of timers', () => {
  const answer = traceTool('answer', async (name: number) => name);

  it.each<[string, (name: number) => Promise<unknown>]>([
    ['timeouts that nobody clears', (name) => Promise.race([answer(name), sleep(5_000)])],
    ['waits after answers', (name) => answer(name).then(() => sleep(1 + (name % 30)))],
  ])('take no more time each: %s', async (_what, branch) => {
    const cost = async (count: number): Promise<number> => {
      const agent = async (): Promise<number> => {
        await Promise.all(Array.from({ length: count }, (_, name) => branch(name)));
        return count;
      };
      const path = await recordRun(agent);
      const before = process.cpuUsage();
      expect((await replay(path, asAgent(agent))).verdict).toBe('matched');
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const few = Math.max(await cost(200), 20_000);
    // Quadratic work would make it 64.
    expect((await cost(1_600)) / few).toBeLessThan(32);
  });
});

describe('a timer that aborts', () => {
  it.each(['a controller', 'a signal'])('is over before its failure is given: %s', async (kind) => {
    const reach = traceTool(
      'reach',
      (signal: AbortSignal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    const agent = async (): Promise<unknown> => {
      let signal = AbortSignal.timeout(60);
      if (kind === 'a controller') {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 60);
        signal = controller.signal;
      }
      const keep = setTimeout(() => {}, 10_000);
      try {
        return await reach(signal);
      } catch {
        return signal.aborted ? 'given up' : 'failed by itself';
      } finally {
        clearTimeout(keep);
      }
    };
    for (let i = 0; i < 3; i++) expect(await again(agent)).toMatchObject({ verdict: 'matched', output: 'given up' });
  });
});
