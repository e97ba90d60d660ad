import { llmRequest, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

/** How often each recording is replayed. */
const TIMES = process.env.STEPFORK_FULL === '1' ? 100 : 5;

class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
  readonly status = 429;
}

/** What the outside world does in the recorded run; in a replay no body asks it. */
let latency: (what: string) => number = () => 0;
let refusals = 0;
let bodies = 0;

const ask = traceTool('ask', async (what: string) => {
  bodies++;
  await sleep(latency(what));
  return `${what}!`;
});
const model = (prompt: string): Promise<string> =>
  llmRequest({
    provider: 'acme',
    model: 'big',
    input: { prompt },
    call: async () => {
      bodies++;
      await sleep(latency(prompt));
      if (refusals-- > 0) throw new TooManyRequests('slow down');
      return `answer to ${prompt}`;
    },
  });
const words = traceTool('words', async function* (text: string, signal: AbortSignal) {
  bodies++;
  for (const word of text.split(' ')) {
    await sleep(4);
    signal.throwIfAborted();
    yield word;
  }
});

interface Story {
  readonly what: string;
  readonly latency: (what: string) => number;
  readonly refusals?: number;
  readonly agent: () => Promise<unknown>;
  readonly output: unknown;
}

const timeout = (ms: number): Promise<string> => sleep(ms).then(() => 'too late');

const STORIES: readonly Story[] = [
  {
    what: 'a race that the timeout won',
    latency: () => 80,
    agent: async () => [await Promise.race([ask('slow'), timeout(30)]), await model('and then')],
    output: ['too late', 'answer to and then'],
  },
  {
    what: 'a race that the call won',
    latency: () => 10,
    agent: async () => [await Promise.race([ask('quick'), timeout(60)]), await model('and then')],
    output: ['quick!', 'answer to and then'],
  },
  {
    what: 'a retry after 429',
    latency: () => 2,
    refusals: 2,
    agent: async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return [attempt, await model('please')];
        } catch (error) {
          if ((error as { status?: number }).status !== 429) throw error;
          await sleep(10 * attempt);
        }
      }
    },
    output: [3, 'answer to please'],
  },
  {
    what: 'an aborted stream',
    latency: () => 1,
    agent: async () => {
      const abort = new AbortController();
      const read: string[] = [];
      try {
        for await (const word of words('one two three four', abort.signal)) {
          read.push(word);
          if (read.length === 2) abort.abort(new Error('enough'));
        }
      } catch (error) {
        read.push((error as Error).message);
      }
      return [...read, await ask('after')];
    },
    output: ['one', 'two', 'enough', 'after!'],
  },
  {
    what: 'losers that were pending at the end',
    latency: (what) => (what === 'winner' ? 5 : 400),
    agent: () => Promise.race([ask('loser'), model('loser'), ask('winner')]),
    output: 'winner!',
  },
];

describe('a replay takes the recorded branch, every time', () => {
  it.each(STORIES)(
    '$what',
    async ({ latency: recorded, refusals: recordedRefusals = 0, agent, output }) => {
      latency = recorded;
      refusals = recordedRefusals;
      const path = await recordRun(agent);
      // The world is another one now, and nobody asks it.
      latency = () => 0;
      refusals = 100;
      bodies = 0;
      for (let time = 0; time < TIMES; time++) {
        const report = await replay(path, asAgent(agent));
        expect([report.verdict, report.output]).toEqual(['matched', output]);
      }
      expect(bodies).toBe(0);
    },
    120_000,
  );

  it('a thousand parallel calls that completed in shuffled order', async () => {
    const calls = Array.from({ length: 1_000 }, (_, n) => `call ${n}`);
    latency = (what) => (Number(what.slice(5)) * 7_919) % 60;
    const agent = async (): Promise<unknown> => {
      const order: string[] = [];
      await Promise.all(calls.map((call) => ask(call).then((answer) => order.push(answer))));
      return order;
    };
    const path = await recordRun(agent);
    bodies = 0;
    let order: unknown = null;
    for (let time = 0; time < TIMES; time++) {
      const report = await replay(path, asAgent(agent));
      expect(report.verdict).toBe('matched');
      order ??= report.output;
      expect(report.output).toEqual(order);
    }
    expect(order).not.toEqual(calls.map((call) => `${call}!`));
    expect(bodies).toBe(0);
  }, 600_000);
});
