import { type AdapterUnderTest, type ConformanceCheck, demandEqual } from '../contract.js';
import { thrownBy } from '../thrown.js';
import { onTrial } from '../trial.js';

/** What comes of a run that asks something else than the recorded one. */
export function divergenceLaws<Client extends object>(adapter: AdapterUnderTest<Client>): readonly ConformanceCheck[] {
  const { ask, stream, runTools } = adapter;
  const law = (
    name: string,
    agent: (client: Client, text: string) => Promise<unknown>,
    [recorded, replayed]: readonly [string, string] = ['one', 'two'],
  ): ConformanceCheck => ({
    name,
    check: () =>
      onTrial(adapter, async (trial) => {
        const client = trial.client();
        const { report } = await trial.roundTrip(() => agent(client, recorded), {
          replayed: () => agent(client, replayed),
        });
        const { verdict, divergence, calls } = report;
        demandEqual('the replay', [verdict, divergence?.code, divergence?.kind], ['diverged', 'input_changed', 'llm']);
        // Trying again would be refused again.
        demandEqual('refusals', calls.filter(({ action }) => action === 'refused').length, 1);
        demandEqual('requests that the replay made', trial.server.knocks(), 0);
      }),
  });
  const readAll = async (client: Client, text: string): Promise<unknown[]> => {
    const chunks: unknown[] = [];
    for await (const chunk of await stream(client, { text })) chunks.push(chunk);
    return chunks;
  };
  const weather = { name: 'weather', run: async ({ city }: { city: string }) => `sun over ${city}` } as const;
  return [
    law('diverges at a changed prompt, at once and without another try', (client, text) =>
      thrownBy(ask(client, { text })),
    ),
    law('diverges at a changed prompt also where the agent swallows it', (client, text) =>
      ask(client, { text }).catch(() => 'fine'),
    ),
    law('diverges at a changed prompt of a stream', (client, text) => thrownBy(readAll(client, text))),
    law(
      'diverges at a changed prompt of a loop with tools',
      (client, text) => thrownBy(runTools(client, { text }, weather)),
      ['weather in Rome?', 'weather in Rome, please?'],
    ),
    {
      name: 'diverges where a request is missing',
      check: () =>
        onTrial(adapter, async (trial) => {
          const client = trial.client();
          const { report } = await trial.roundTrip(
            async () => [await ask(client, { text: 'one' }), await ask(client, { text: 'two' })],
            { replayed: () => ask(client, { text: 'one' }) },
          );
          demandEqual('the replay', report.verdict, 'diverged');
        }),
    },
  ];
}
