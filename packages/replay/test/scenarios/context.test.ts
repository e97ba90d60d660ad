import { traceTool } from '@stepfork/recorder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

let bodies = 0;
const page = traceTool({ name: 'page', params: ['n'] }, async (n: number) => {
  bodies++;
  await sleep(1);
  return `page ${n}`;
});

/** A queue of jobs and one worker, which runs in the context of whoever started it. */
function createQueue() {
  const jobs: (() => Promise<void>)[] = [];
  let wake: () => void = () => {};
  let isStarted = false;
  let isStopped = false;
  const start = (): void => {
    if (isStarted) return;
    isStarted = true;
    void work();
  };
  const work = async (): Promise<void> => {
    while (!isStopped) {
      const job = jobs.shift();
      if (job !== undefined) await job();
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  };
  const add = <T>(task: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      jobs.push(() => task().then(resolve, reject));
      start();
      wake();
    });
  const stop = (): void => {
    isStopped = true;
    wake();
  };
  return { start, add, stop };
}

describe('nested calls', () => {
  it('are hidden where the call around them is answered from the recording', async () => {
    const report3 = traceTool('report', async (city: string) => {
      const pages = await Promise.all([page(1), page(2), page(3)]);
      return `${city}: ${pages.join(', ')}`;
    });
    const agent = async (): Promise<unknown> => [await report3('Rome'), await page(4)];
    const path = await recordRun(agent);
    bodies = 0;
    const report = await replay(path, asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: ['Rome: page 1, page 2, page 3', 'page 4'] });
    expect(report.counts).toEqual({ recorded: 2, substituted: 2, executed: 0 });
    expect(report.reparented).toEqual([]);
    expect(bodies).toBe(0);
  });
});

describe('a queue', () => {
  it('whose worker was started inside a call runs later jobs in its context: they are found, and listed', async () => {
    const agent = async (): Promise<unknown> => {
      const queue = createQueue();
      const warmUp = traceTool('warm_up', async () => queue.start());
      await warmUp();
      const pages = await Promise.all([queue.add(() => page(1)), queue.add(() => page(2))]);
      queue.stop();
      return pages;
    };
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: ['page 1', 'page 2'], divergence: null });
    expect(report.reparented.map(({ index }) => index)).toEqual([1, 2]);
    expect(report.counts).toEqual({ recorded: 3, substituted: 3, executed: 0 });
  });

  it('of which one job is found elsewhere expects the others, too', async () => {
    const agentOf = (numbers: readonly number[]) => async (): Promise<unknown> => {
      const queue = createQueue();
      const warmUp = traceTool('warm_up', async () => queue.start());
      await warmUp();
      const pages = await Promise.all(numbers.map((n) => queue.add(() => page(n))));
      queue.stop();
      return pages;
    };
    const path = await recordRun(agentOf([1, 2, 3]));
    const report = await replay(path, asAgent(agentOf([1, 3])));
    expect(report.divergence?.message).toBe("recorded call #3 tool 'page' never came");
  });

  it('that was made outside the run, and whose worker has no context, joins the only replay', async () => {
    const queue = createQueue();
    queue.start();
    onTestFinished(queue.stop);
    const agent = (): Promise<unknown> => Promise.all([queue.add(() => page(1)), queue.add(() => page(2))]);
    const path = await recordRun(agent);
    bodies = 0;
    const report = await replay(path, asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: ['page 1', 'page 2'] });
    expect(bodies).toBe(0);
  });

  it('that was made outside the run cannot serve two replays: its calls are refused, and no body runs', async () => {
    const queue = createQueue();
    queue.start();
    onTestFinished(queue.stop);
    const agent = (): Promise<unknown> => queue.add(() => page(1));
    const path = await recordRun(agent);
    bodies = 0;
    const reports = await Promise.all([1, 2].map(() => replay(path, asAgent(agent), { noProgressMs: 100 })));
    expect(reports.map(({ verdict }) => verdict)).toEqual(['diverged', 'diverged']);
    expect(reports[0]?.error?.message).toBe(
      "tool 'page' was reached outside any run's async context while 2 runs are active, so it was not run; " +
        'bind the callback that calls it with AsyncResource.bind() where the run hands it over',
    );
    expect(bodies).toBe(0);
  });
});
