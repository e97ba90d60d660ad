import { execFile } from 'node:child_process';
import { randomBytes, randomUUID, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { traceTool } from '@stepfork/recorder';
import { loadTrace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { formatReport, replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

const slow = traceTool('slow', async (id: string) => {
  await sleep(400);
  return id;
});

const waits: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a timer', () => sleep(200)],
  ['a chain of timers', async () => [await sleep(60), await sleep(60), await sleep(60)]],
  ['a process', () => promisify(execFile)(process.execPath, ['-e', 'setTimeout(() => {}, 100)'])],
  ['a key derivation', () => promisify(scrypt)('password', 'salt', 64)],
  [
    'a thread',
    () =>
      new Promise((resolve) => {
        new Worker('setTimeout(() => {}, 100)', { eval: true }).on('exit', resolve);
      }),
  ],
];

describe("the agent's own waits", () => {
  it.each(waits)('are waited for while an outcome is held: %s', async (_what, wait) => {
    const agent = (): Promise<unknown> =>
      Promise.all([
        slow('held'),
        (async () => {
          await wait();
          return slow('after the wait');
        })(),
      ]);
    const path = await recordRun(agent);
    expect((await replay(path, asAgent(agent), { allow: ['*'] })).verdict).toBe('matched');
  });

  it('are not what the guard stopped', async () => {
    const agent = (): Promise<unknown> =>
      Promise.all([
        slow('held'),
        (async () => {
          await promisify(execFile)(process.execPath, ['-e', '']);
          return slow('after the process');
        })(),
      ]);
    const path = await recordRun(agent);
    // Were a part of it waited for, it would be for longer than a test may take.
    const report = await replay(path, asAgent(agent), { noProgressMs: 600_000 });
    expect([report.divergence?.code, report.blocked.map(({ what }) => what)]).toEqual(['missing_call', ['spawn node']]);
  });

  it('are not what is done at once, an interval, an unreferenced timer or a forgotten timeout', async () => {
    const path = await recordRun(() => Promise.all([slow('a'), slow('b')]));
    const serial = asAgent(async () => {
      const ticking = setInterval(() => {}, 5);
      setTimeout(() => {}, 600_000).unref();
      const forgotten = setTimeout(() => {}, 600_000);
      try {
        randomUUID();
        randomBytes(8);
        gzipSync('text');
        return [await slow('a'), await slow('b')];
      } finally {
        clearInterval(ticking);
        clearTimeout(forgotten);
      }
    });
    // Were any of them waited for, it would be for longer than a test may take.
    const report = await replay(path, serial, { noProgressMs: 600_000 });
    expect(report.divergence?.code).toBe('reordered');
  });
});

describe('timeouts that nobody clears', () => {
  const ask = traceTool('ask', async (turn: number) => {
    await sleep(90);
    return `answer ${turn}`;
  });
  const withTimeout = <T>(answer: Promise<T>, ms: number): Promise<T | string> =>
    Promise.race([answer, sleep(ms).then(() => 'timed out')]);

  it.each<[string, (turn: number) => Promise<unknown>]>([
    ['set after the call', (turn) => withTimeout(ask(turn), 200)],
    [
      'set before the call',
      (turn) => {
        const timeout = sleep(200).then(() => 'timed out');
        return Promise.race([timeout, ask(turn)]);
      },
    ],
  ])(
    'do not come before answers that came before them, though they are all set within moments: %s',
    async (_, turn) => {
      const agent = async (): Promise<unknown> => {
        const answers: unknown[] = [];
        for (let n = 1; n <= 4; n++) answers.push(await turn(n));
        return answers;
      };
      const report = await replay(await recordRun(agent), asAgent(agent));
      expect(report.verdict).toBe('matched');
      expect(report.output).toEqual(['answer 1', 'answer 2', 'answer 3', 'answer 4']);
    },
  );

  it('come where they did, though an earlier call of the same code was answered', async () => {
    const agent = async (): Promise<unknown> => {
      const deadline = sleep(150).then(() => 'timed out');
      return [await Promise.race([ask(1), deadline]), await Promise.race([ask(2), deadline])];
    };
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report.verdict).toBe('matched');
    expect(report.output).toEqual(['answer 1', 'timed out']);
  });
});

describe('a run that does not end', () => {
  it('is reported as stalled, with what it waits for', async () => {
    const path = await recordRun(() => slow('a'));
    const report = await replay(
      path,
      asAgent(async () => {
        await slow('a');
        await new Promise(() => {});
      }),
      { noProgressMs: 100 },
    );
    expect(report).toMatchObject({ verdict: 'diverged', divergence: null, facets: { execution: 'stalled' } });
    expect(report.notes).toContain('the run did not end: it waits for something outside the recording');
  });

  it('is not waited for where its recording is partial and ends here', async () => {
    const trace = loadTrace(await recordRun(() => slow('a')));
    const partial = { ...trace, status: 'running' as const, events: trace.events.slice(0, 2) };
    const report = await replay(
      partial,
      asAgent(() => slow('a')),
      { noProgressMs: 600_000 },
    );
    expect(report.facets).toMatchObject({ execution: 'stalled', dependencies: 'matched' });
    expect(report.notes).toEqual([
      "the recording is partial, and the run went as far as it does: it waits for tool 'slow' (call #1), which has no recorded outcome",
    ]);
    expect(report.verdict).toBe('diverged');
    expect(formatReport(report).split('\n')[0]).toBe('diverged: the run went as far as the recording does');
  });
});
