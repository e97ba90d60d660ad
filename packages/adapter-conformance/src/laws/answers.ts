import { setTimeout } from 'node:timers/promises';
import { traceTool } from '@stepfork/recorder';
import { type AdapterUnderTest, type ConformanceCheck, demand, demandEqual } from '../contract.js';
import { thrownBy } from '../thrown.js';
import { demandSame, eventsOf, onTrial } from '../trial.js';
import { MODELS, WRONG_KEY } from '../wire/trouble.js';

/** Ten megabytes where time is taken for it. */
const LARGE = (process.env.STEPFORK_FULL === '1' ? 10 : 1) * 1024 * 1024;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What a provider may answer, and how it comes to the agent. */
export function answerLaws<Client extends object>(adapter: AdapterUnderTest<Client>): readonly ConformanceCheck[] {
  const { ask, stream } = adapter;
  const law = (name: string, agent: (client: Client) => Promise<unknown>, apiKey?: string): ConformanceCheck => ({
    name,
    check: () =>
      onTrial(adapter, async (trial) => {
        const client = trial.client(apiKey === undefined ? {} : { apiKey });
        demandSame(trial, await trial.roundTrip(() => agent(client)));
      }),
  });
  return [
    law('replays a stream, chunk by chunk', async (client) => {
      const chunks: unknown[] = [];
      for await (const chunk of await stream(client, { text: 'hi' })) chunks.push(chunk);
      return chunks;
    }),
    {
      name: 'names the model of a stream, counts its tokens and tells the message that it makes',
      check: () =>
        onTrial(adapter, async (trial) => {
          const client = trial.client();
          const model = 'model-of-a-stream';
          const trip = await trial.roundTrip(async () => {
            const chunks: unknown[] = [];
            for await (const chunk of await stream(client, { text: 'hi', model })) chunks.push(chunk);
            return chunks;
          });
          demandSame(trial, trip);
          const [asked] = eventsOf(trip.trace, 'llm_request');
          const [answer] = eventsOf(trip.trace, 'llm_response');
          demandEqual('the model', [asked?.model, answer?.model], [model, model]);
          demandEqual('its tokens', [answer?.prompt_tokens, answer?.completion_tokens], [11, 7]);
          const { returned = null } = (answer?.output ?? {}) as { readonly returned?: unknown };
          const isTold = /\bhi\b/.test(JSON.stringify(returned));
          demand(isTold, `the message is not told: ${JSON.stringify(returned)}`);
        }),
    },
    law('replays a stream that is abandoned, and what comes after it', async (client) => {
      const seen: unknown[] = [];
      for await (const chunk of await stream(client, { text: 'hi' })) if (seen.push(chunk) === 2) break;
      return [seen, await ask(client, { text: 'next' })];
    }),
    law('replays a stream that is aborted in its midst', async (client) => {
      const controller = new AbortController();
      let seen = 0;
      const read = async (): Promise<void> => {
        for await (const _chunk of await stream(client, { text: 'hi', signal: controller.signal })) {
          if (++seen === 2) controller.abort();
        }
      };
      return [await thrownBy(read()), seen, await ask(client, { text: 'next' })];
    }),
    law('replays calls that are made side by side and end out of order', async (client) => {
      const ended: string[] = [];
      const look = traceTool('look', async (city: string, delayMs: number) => {
        await setTimeout(delayMs);
        return `sun over ${city}`;
      });
      const noting = async (name: string, made: Promise<unknown>): Promise<unknown> => {
        const answer = await made;
        ended.push(name);
        return answer;
      };
      const answers = await Promise.all([
        noting('slow', ask(client, { text: 'slow' })),
        noting('Rome', look('Rome', 40)),
        noting('fast', ask(client, { text: 'fast' })),
        noting('Oslo', look('Oslo', 5)),
      ]);
      return [answers, ended];
    }),
    law('replays what a wrong key is told', (client) => thrownBy(ask(client, { text: 'hi' })), WRONG_KEY),
    law('replays what is said of a model that is missing', (client) =>
      thrownBy(ask(client, { text: 'hi', model: MODELS.missing })),
    ),
    law('replays a body of megabytes, asked and answered', (client) =>
      ask(client, { text: 'long '.repeat(LARGE / 5) }),
    ),
    law('replays a question with an image', (client) => ask(client, { text: 'what is this?', image: PIXEL })),
    ...[MODELS.busyOnce, MODELS.downOnce].map(
      (model): ConformanceCheck => ({
        name: `records each attempt as a request of its own where a model is ${model}`,
        check: () =>
          onTrial(adapter, async (trial) => {
            const client = trial.client();
            const trip = await trial.roundTrip(() => ask(client, { text: 'hi', model }));
            demandSame(trial, trip);
            const { trace } = trip;
            const types = trace.events.map(({ type }) => type);
            const whole = ['run_start', 'llm_request', 'error', 'llm_request', 'llm_response', 'run_end'];
            demandEqual('the events', types, whole);
            demandEqual('whose error it is', eventsOf(trace, 'error')[0]?.parent_id, trace.events[1]?.id);
          }),
      }),
    ),
  ];
}
