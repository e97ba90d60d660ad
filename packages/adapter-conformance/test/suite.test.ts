import { readFileSync } from 'node:fs';
import {
  type AdapterUnderTest,
  adapterLaws,
  GOOD_KEY,
  type Question,
  startOpenAiServer,
  type WeatherTool,
} from '@stepfork/adapter-conformance';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import { describe, expect, test } from 'vitest';

/** The smallest SDK that there can be: of one request, and no loop of its own. */
interface Client {
  fetch: typeof fetch;
  readonly post: (body: object, signal?: AbortSignal) => Promise<Response>;
}

const bodyOf = ({ text: content, model = 'm' }: Question): object => ({ model, messages: [{ role: 'user', content }] });

function adapter(instrument: (client: Client) => Client): AdapterUnderTest<Client> {
  const ask = async (client: Client, { signal, ...question }: Question): Promise<unknown> =>
    (await client.post(bodyOf(question), signal)).json();
  return {
    provider: 'tiny',
    root: '/v1',
    serve: startOpenAiServer,
    connect: ({ baseURL, apiKey }) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
      const client: Client = {
        fetch: globalThis.fetch,
        post: (body, signal) =>
          client.fetch(`${baseURL}/chat/completions`, {
            ...{ method: 'POST', headers, body: JSON.stringify(body) },
            ...(signal === undefined ? {} : { signal }),
          }),
      };
      return client;
    },
    instrument,
    ask,
    stream: async (client, { signal, ...question }) => {
      const { body } = await client.post({ ...bodyOf(question), stream: true }, signal);
      return body as unknown as AsyncIterable<unknown>;
    },
    runTools: async (client, question, { run }: WeatherTool) => [
      await ask(client, question),
      await run({ city: 'Rome' }),
    ],
    apis: { ask: (client) => ask(client, { text: 'hi' }) },
  };
}

const recorded = adapter((client) => {
  client.fetch = createRecordedFetch(client.fetch, { provider: 'tiny' });
  return client;
});

async function faultsOf(under: AdapterUnderTest<Client>, law: string): Promise<readonly string[]> {
  const laws = adapterLaws(under).filter(({ name }) => name.startsWith(law));
  const outcomes = await Promise.allSettled(laws.map(({ check }) => check()));
  return outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'kept'));
}

describe('the laws', () => {
  test('are those that the documentation names', () => {
    const page = readFileSync(new URL('../../../docs/integrations.md', import.meta.url), 'utf8');
    const [, table = ''] = /^\| an adapter \|\n\|-+\|\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const names = adapterLaws({ ...recorded, apis: {} }).map(({ name }) => name);
    expect([...table.matchAll(/^\| (.*) \|$/gm)].map(([, name]) => name)).toEqual(names);
  });

  test('are kept by an SDK of one request whose fetch is recorded', async () => {
    for (const law of ['replays what it recorded', 'replays a stream', 'diverges at a changed prompt of a stream']) {
      expect(new Set(await faultsOf(recorded, law))).toEqual(new Set(['kept']));
    }
  });

  test('are broken by an adapter that records nothing', async () => {
    const [fault] = await faultsOf(
      adapter((client) => client),
      'replays what it recorded',
    );
    expect(fault).toMatch(/^StepforkError: the replay: .* instead of \{"verdict":"matched"/);
  });

  test('are broken by an adapter that gives back another object', async () => {
    const [fault] = await faultsOf(
      adapter((client) => ({ ...client })),
      'gives back the client',
    );
    expect(fault).toBe('StepforkError: another object is given back');
  });

  test('are broken by an adapter that traces no tools', async () => {
    const [fault] = await faultsOf(recorded, 'runs no body of a tool again');
    expect(fault).toMatch(/^StepforkError: bodies that ran: \["Rome","Rome"\] instead of \["Rome"\]$/);
  });

  test('are broken by a recording in which something stands that proves who asked', async () => {
    const [fault] = await faultsOf({ ...recorded, secrets: ['user said hi'] }, 'replays what it recorded');
    expect(fault).toBe('StepforkError: what proves who asked, in the bundle: ["user said hi"] instead of []');
  });

  test('are broken by an adapter that has its SDK ask for a key in a replay', async () => {
    const connectBy = (baseURL: string, key: () => Promise<string>): Client => {
      const { post, ...client } = recorded.connect({ baseURL, apiKey: GOOD_KEY });
      const asking: Client = {
        ...client,
        post: async (body) => {
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${await key()}` };
          return asking.fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) });
        },
      };
      return asking;
    };
    const [fault] = await faultsOf({ ...recorded, connectBy }, 'asks nobody for a key');
    expect(fault).toBe('StepforkError: keys that the replay asked for: 2 instead of 1');
  });
});
