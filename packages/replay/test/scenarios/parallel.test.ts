import { traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

const timed = traceTool({ name: 'timed', params: ['id', 'ms'] }, async (id: string, ms: number) => {
  await sleep(ms);
  return id;
});

/** `count` numbers in an order that looks like none, the same every time. */
function shuffled(count: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, i) => i);
  let state = 42;
  for (let i = count - 1; i > 0; i--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const j = state % (i + 1);
    [numbers[i], numbers[j]] = [numbers[j] as number, numbers[i] as number];
  }
  return numbers;
}

describe('parallel calls', () => {
  it('ten of them, that finish in another order than they started, finish as recorded', async () => {
    const agent = async (): Promise<string[]> => {
      const finished: string[] = [];
      await Promise.all(shuffled(10).map((n) => timed(`${n}`, n * 6).then((id) => finished.push(id))));
      return finished;
    };
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report.recording.output).not.toEqual(shuffled(10).map(String));
    expect(report).toMatchObject({ verdict: 'matched', output: report.recording.output, ambiguous: [], early: [] });
  });

  it('a thousand of them, that finish in a shuffled order, finish in it', async () => {
    const order = shuffled(1000);
    const release: (() => void)[] = [];
    const releaseAll = (): void => {
      for (const n of order) release[n]?.();
    };
    const job = traceTool({ name: 'job', params: ['n'] }, (n: number) => {
      const done = new Promise<void>((resolve) => {
        release[n] = resolve;
      });
      if (n === 999) queueMicrotask(releaseAll);
      return done.then(() => n * 2);
    });
    const agent = async (): Promise<number[]> => {
      const finished: number[] = [];
      const each = async (n: number): Promise<void> => void finished.push(await job(n));
      await Promise.all(Array.from({ length: 1000 }, (_, n) => each(n)));
      return finished;
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report.verdict).toBe('matched');
    expect(report.output).toEqual(order.map((n) => n * 2));
    expect(report.counts).toEqual({ recorded: 1000, substituted: 1000, executed: 0 });
  });

  it('are told apart by what they ask, whatever the order in which they start', async () => {
    const path = await recordRun(() => Promise.all([timed('a', 10), timed('b', 5), timed('c', 1)]));
    const backwards = async (): Promise<string[]> => {
      const answers = await Promise.all([timed('c', 1), timed('b', 5), timed('a', 10)]);
      return answers.reverse();
    };
    expect(await replay(path, asAgent(backwards))).toMatchObject({ verdict: 'matched', output: ['a', 'b', 'c'] });
  });

  it('that are identical and ended differently are listed, or refused where that is asked for', async () => {
    let n = 0;
    const roll = traceTool('roll', async () => {
      const mine = n++;
      await sleep(mine === 0 ? 12 : 3);
      return mine;
    });
    const agent = (): Promise<unknown> => Promise.all([roll(), roll()]);
    const path = await recordRun(agent);
    const report = await replay(path, asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: [0, 1] });
    expect(report.ambiguous.map(({ index }) => index)).toEqual([0, 1]);
    expect((await replay(path, asAgent(agent), { onAmbiguous: 'diverge' })).divergence).toMatchObject({
      code: 'ambiguous',
      message: "call #1: tool 'roll' cannot be told from an identical call that ended differently",
    });
  });
});

describe('a race', () => {
  it('against a timeout is won by whoever won it', async () => {
    const timeout = (ms: number): Promise<string> => sleep(ms).then(() => 'timeout');
    const agent = async (): Promise<unknown> => {
      const lost = await Promise.race([timed('too slow', 60), timeout(15)]);
      const won = await Promise.race([timed('quick', 3), timeout(30_000)]);
      return [lost, won, await timed(`after ${lost}`, 60)];
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: ['timeout', 'quick', 'after timeout'] });
  });

  it('leaves its losers pending where the run had ended before them', async () => {
    const agent = (): Promise<unknown> =>
      Promise.any([timed('never', 600_000), timed('never too', 600_000), timed('now', 1)]);
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: 'now' });
    expect(report.calls.map(({ name, status }) => [name, status])).toEqual([
      ['timed', 'pending'],
      ['timed', 'pending'],
      ['timed', 'ok'],
    ]);
  });

  it('whose loser comes later still gets it', async () => {
    const agent = async (): Promise<unknown> => {
      const slow = timed('slow', 25);
      const first = await Promise.race([slow, timed('fast', 2)]);
      return [first, await timed('between', 2), await slow];
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', output: ['fast', 'between', 'slow'] });
  });
});

describe('two replays at once', () => {
  it('each get their own answers, and a change in one is no change in the other', async () => {
    const agentOf =
      (name: string, last = 'last') =>
      async (): Promise<unknown> => {
        const first = await Promise.all([timed(name, 8), timed('shared', 3)]);
        return [...first, await timed(last, 2)];
      };
    const paths = [await recordRun(agentOf('a')), await recordRun(agentOf('b'))];
    const [a, b] = await Promise.all([
      replay(paths[0] ?? '', asAgent(agentOf('a'))),
      replay(paths[1] ?? '', asAgent(agentOf('b', 'other'))),
    ]);
    expect(a).toMatchObject({ verdict: 'matched', output: ['a', 'shared', 'last'] });
    expect(b.divergence?.message).toBe(
      'call #3: tool \'timed\' was called with another input: at \'id\' recorded "last", got "other"',
    );
  });

  it('of one recording do not share its calls', async () => {
    const agent = async (): Promise<unknown> => [await timed('x', 2), await timed('y', 2)];
    const path = await recordRun(agent);
    const reports = await Promise.all([1, 2, 3].map(() => replay(path, asAgent(agent))));
    expect(reports.map(({ verdict, counts }) => [verdict, counts.substituted])).toEqual([
      ['matched', 2],
      ['matched', 2],
      ['matched', 2],
    ]);
  });
});
