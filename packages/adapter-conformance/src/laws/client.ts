import { AsyncLocalStorage } from 'node:async_hooks';
import { record } from '@stepfork/recorder';
import { installFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { type AdapterUnderTest, type ConformanceCheck, demand, demandEqual } from '../contract.js';
import { credentialsIn, secretsIn } from '../credentials.js';
import { demandSame, onTrial, type Trial } from '../trial.js';
import { GOOD_KEY } from '../wire/trouble.js';

/** What an instrumented client is. */
export function clientLaws<Client extends object>(adapter: AdapterUnderTest<Client>): readonly ConformanceCheck[] {
  const { ask, stream, instrument, standsIn = false, copy, runTools } = adapter;
  const law = (name: string, check: (trial: Trial<Client>) => Promise<void>): ConformanceCheck => ({
    name,
    check: () => onTrial(adapter, check),
  });
  return [
    law('gives back the client that it was given, of the same type, however often', async (trial) => {
      const bare = trial.connect();
      const kind: unknown = Object.getPrototypeOf(bare);
      const client = instrument(bare);
      demand(standsIn || client === bare, 'another object is given back');
      const once = membersOf(client);
      demand(instrument(client) === client, 'another object is given back the second time');
      demand(Object.getPrototypeOf(client) === kind, 'the client has another prototype');
      const twice = membersOf(client);
      demand(
        once.length === twice.length && once.every((member, index) => member === twice[index]),
        'a client that is instrumented again is changed again',
      );
      demandEqual('keys of the client', Object.keys(client), Object.keys(trial.connect()));
      demandSame(trial, await trial.roundTrip(() => ask(client, { text: 'hi' })));
    }),
    law('asks for real outside a run', async (trial) => {
      const bare = await ask(trial.connect(), { text: 'hi' });
      demandEqual('the answer', await ask(trial.client(), { text: 'hi' }), bare);
      demandEqual('requests', trial.server.requests.length, 2);
    }),
    law('records nothing twice where the global fetch is recorded, too', async (trial) => {
      const before = trial.client();
      const uninstall = installFetch({ provider: 'of-the-global-fetch' });
      try {
        const after = trial.client();
        const agent = async (): Promise<unknown> => [
          await ask(before, { text: 'before' }),
          await ask(after, { text: 'after' }),
        ];
        demandSame(trial, await trial.roundTrip(agent));
      } finally {
        uninstall();
      }
    }),
    law('takes a provider that speaks the same below another base URL', async (trial) => {
      const client = trial.client({ below: '/third-party/models' });
      demandSame(trial, await trial.roundTrip(() => ask(client, { text: 'hi' })));
    }),
    law('takes the copies that a client makes of itself', async (trial) => {
      const client = copy?.(trial.client()) ?? trial.client();
      const run = async (): Promise<string> => 'sun';
      const agent = (): Promise<unknown> => runTools(client, { text: 'weather in Rome?' }, { name: 'weather', run });
      demandSame(trial, await trial.roundTrip(agent));
    }),
    law('asks nobody for a key in a replay, but where a request is really sent', async (trial) => {
      const { adapter, server, bundle } = trial;
      const baseURL = `${server.origin}${adapter.root}`;
      let keys = 0;
      const key = async (): Promise<string> => {
        keys++;
        return GOOD_KEY;
      };
      const bare = (): Client => adapter.connectBy?.(baseURL, key) ?? trial.connect();
      const agent = async (): Promise<unknown> => ask(instrument(bare()), { text: 'hi' });
      await record('fetching-agent', { output: bundle }, agent);
      const before = keys;
      demandEqual('the replay', (await replay(bundle, agent)).verdict, 'matched');
      demandEqual('keys that the replay asked for', keys, before);
      demandEqual('the live replay', (await replay(bundle, agent, { mode: 'live' })).verdict, 'matched');
      demandEqual('requests', server.requests.length, 2);
      demandEqual('keys that the live replay asked for', keys, 2 * before);
      demandEqual(
        'what proves who asked, in the bundle',
        secretsIn(bundle, server.requests.flatMap(credentialsIn)),
        [],
      );
    }),
    law("keeps the agent's own async context, in a recording and in a replay", async (trial) => {
      const client = trial.client();
      const storage = new AsyncLocalStorage<string>();
      const tool = { name: 'weather', run: async () => String(storage.getStore()) } as const;
      const agent = (): Promise<unknown> =>
        storage.run('mine', async () => {
          const stores: unknown[] = [];
          const note = (): void => void stores.push(storage.getStore());
          await ask(client, { text: 'hi' });
          note();
          for await (const _chunk of await stream(client, { text: 'hi' })) note();
          await runTools(client, { text: 'weather in Rome?' }, tool);
          note();
          return stores;
        });
      const trip = await trial.roundTrip(agent);
      demandSame(trial, trip);
      demand(JSON.stringify(trip.trace).includes('"output":"mine"'), 'a tool does not see the context of its agent');
      demand(
        (trip.recorded as unknown[]).every((store) => store === 'mine'),
        'the context is lost',
      );
    }),
  ];
}

function membersOf(client: object): readonly unknown[] {
  return Reflect.ownKeys(client).map((key) => Reflect.get(client, key) as unknown);
}
