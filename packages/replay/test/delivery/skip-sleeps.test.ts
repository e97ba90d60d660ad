import { setTimeout as sleepByPromise } from 'node:timers/promises';
import { traceTool } from '@stepfork/recorder';
import type { Trace, TraceEvent } from '@stepfork/trace-format';
import { formatTimestamp, loadTrace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { type ReplayOptions, replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

const ask = traceTool('ask', async (what: string) => {
  await sleep(3);
  return `${what}!`;
});

/** The recording as it would be, had it taken so many times as long. */
function stretched(trace: Trace, factor: number): Trace {
  const start = Date.parse(trace.events[0]?.timestamp ?? '');
  const later = (event: TraceEvent): TraceEvent => ({
    ...event,
    timestamp: formatTimestamp(start + (Date.parse(event.timestamp) - start) * factor),
  });
  return { ...trace, events: trace.events.map(later) };
}

/** An agent whose waits take so many milliseconds each. */
const agents: readonly (readonly [string, (ms: number) => Promise<unknown>])[] = [
  ['waits between calls', async (ms) => [await ask('a'), await sleep(ms), await ask('b'), await sleepByPromise(ms)]],
  [
    'polls',
    async (ms) => {
      const seen: unknown[] = [];
      for (let i = 0; i < 3; i++) seen.push(await ask(`poll ${i}`), await sleep(ms));
      return seen;
    },
  ],
  [
    'waits by the clock',
    async (ms) => {
      for (const end = Date.now() + 3 * ms; Date.now() < end; ) await sleep(ms);
      return ask('then');
    },
  ],
  [
    'has a timeout that does not come',
    async (ms) => [
      await Promise.race([ask('quick'), sleep(4 * ms).then(() => 'late')]),
      await sleep(ms),
      await ask('b'),
    ],
  ],
  [
    'is timed out',
    async (ms) => {
      const never = traceTool('never', () => new Promise(() => {}));
      const won = await Promise.race([never(), sleep(2 * ms).then(() => 'late'), sleep(3 * ms).then(() => 'later')]);
      return [won, await ask('then')];
    },
  ],
  [
    'runs branches that wait differently long',
    async (ms) => {
      const order: string[] = [];
      const branch = async (name: string, times: number): Promise<void> => {
        await sleep(ms * times);
        order.push(await ask(name));
      };
      await Promise.all([branch('slow', 3), branch('quick', 1), branch('middling', 2)]);
      return order;
    },
  ],
  [
    'is aborted by a signal',
    async (ms) => {
      const signal = AbortSignal.timeout(2 * ms);
      const aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')));
      return [await Promise.race([aborted, sleep(10 * ms)]), await ask('then')];
    },
  ],
];

describe('skipped sleeps', () => {
  it.each(agents)('come in their order, at once: an agent that %s', async (_what, agent) => {
    const trace = loadTrace(await recordRun(() => agent(40)));
    const options: ReplayOptions = { skipSleeps: true };
    const report = await replay(
      trace,
      asAgent(() => agent(40)),
      options,
    );
    expect(report.verdict).toBe('matched');
    // Had any been waited for, it would be for longer than a test may take.
    const long = await replay(
      stretched(trace, 50_000),
      asAgent(() => agent(2_000_000)),
      options,
    );
    expect([long.verdict, long.output]).toEqual(['matched', report.output]);
  });

  it('are real unless asked for, and the option is true or false', async () => {
    const path = await recordRun(() => ask('a'));
    await expect(replay(path, () => 1, { skipSleeps: 'yes' } as unknown as ReplayOptions)).rejects.toThrow(
      'option skipSleeps must be true or false',
    );
  });
});
