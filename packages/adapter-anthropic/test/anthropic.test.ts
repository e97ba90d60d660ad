import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { GOOD_KEY, roundTrip, startAnthropicServer, type WireServer } from '@stepfork/adapter-conformance';
import { traceTool } from '@stepfork/recorder';
import Oldest from 'anthropic-oldest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instrument } from '../src/index.js';

let server: WireServer;
let folder: string;
beforeEach(async () => {
  server = await startAnthropicServer();
  folder = mkdtempSync(join(tmpdir(), 'stepfork-anthropic-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const bundle = (): string => join(folder, 'run.sftrace');
const connection = () => ({ apiKey: GOOD_KEY, baseURL: server.origin });
const client = (): Anthropic => instrument(new Anthropic(connection()));
const asked = (content: string) => ({
  model: 'claude-sonnet-5',
  max_tokens: 1024,
  messages: [{ role: 'user' as const, content }],
});
const { ToolError } = Anthropic.Beta.Messages;

interface City {
  readonly city: string;
}

const weather = (run: (input: City, context?: unknown) => Promise<string>) => ({
  name: 'weather',
  input_schema: { type: 'object' as const },
  parse: (input: unknown) => input as City,
  run,
});

describe('an instrumented client', () => {
  test('throws what the replay has to say of a request that it refuses, where the SDK passes it on', async () => {
    const anthropic = client();
    const refusalOf = async (of: Pick<Anthropic, 'messages'>, content: string): Promise<unknown> => {
      const thrown = await of.messages.create(asked(content)).catch((error: unknown) => error);
      const { name, code, status } = thrown as { name?: string; code?: string; status?: number };
      return [name ?? null, code ?? null, status ?? null];
    };
    const older = instrument(new Oldest(connection())) as unknown as Anthropic;
    const { report } = await roundTrip(bundle(), server, () => refusalOf(anthropic, 'one'), {
      replayed: async () => [await refusalOf(anthropic, 'two'), await refusalOf(older, 'two')],
    });
    expect(report.divergence?.code).toBe('input_changed');
    expect(report.output).toEqual([
      ['StepforkError', 'replay_divergence', null],
      ['Error', null, 403],
    ]);
  });

  test('has its refusals pass by a middleware that makes an answer of every error', async () => {
    const lenient = async (request: never, next: (request: never) => Promise<Response>): Promise<Response> => {
      const response = await next(request);
      return response.ok ? response : Response.json({ content: [{ type: 'text', text: 'sorry' }] });
    };
    const options = { ...connection(), middleware: [lenient as never] };
    const anthropic = instrument(new Anthropic(options)).withOptions({ maxRetries: 0 });
    const { report } = await roundTrip(bundle(), server, () => anthropic.messages.create(asked('one')), {
      replayed: () => anthropic.messages.create(asked('two')),
    });
    expect([report.verdict, report.error?.name]).toEqual(['diverged', 'StepforkError']);
  });

  test('records tokens of an answer and of a stream, and the message that a stream makes', async () => {
    const anthropic = client();
    const { trace } = await roundTrip(bundle(), server, async () => {
      await anthropic.messages.create(asked('hi'));
      await anthropic.messages.stream(asked('hi')).done();
    });
    const answers = trace.events.filter((event) => event.type === 'llm_response');
    expect(answers.map(({ prompt_tokens, completion_tokens }) => [prompt_tokens, completion_tokens])).toEqual([
      [11, 7],
      [11, 7],
    ]);
    expect(answers[1]?.output).toMatchObject({
      returned: { content: [{ type: 'text', text: 'grüße 👋 user said hi' }], stop_reason: 'end_turn' },
    });
  });

  test.each([
    ['newest', Anthropic],
    ['oldest', Oldest as unknown as typeof Anthropic],
  ])('needs no key for answers from a recording: %s', async (_release, Sdk) => {
    const ask = (anthropic: Anthropic) => async () => (await anthropic.messages.create(asked('hi'))).content;
    const keyless = instrument(new Sdk({ apiKey: null, authToken: null, baseURL: server.origin }));
    const { recorded, report } = await roundTrip(bundle(), server, ask(client()), { replayed: ask(keyless) });
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
    await expect(ask(keyless)()).rejects.toThrow(/^Could not resolve authentication method/);
  });

  test('replays what a ToolError shows the model', async () => {
    const anthropic = client();
    const failing = weather(async () => {
      throw new ToolError([{ type: 'text', text: 'the station is closed' }]);
    });
    const ask = async (): Promise<unknown> =>
      anthropic.beta.messages.toolRunner({ ...asked('weather in Rome?'), tools: [failing] });
    const { recorded, report } = await roundTrip(bundle(), server, ask);
    expect(JSON.stringify(recorded)).toContain('the station is closed');
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
  });

  test('runs no tool again that a runner or a thread is given', async () => {
    const anthropic = client();
    const ran: string[] = [];
    const tool = weather(async ({ city }) => {
      ran.push(city);
      return `sun over ${city}`;
    });
    const { recorded, report, trace } = await roundTrip(bundle(), server, async () => {
      const { messages } = anthropic.beta;
      const later = messages.toolRunner({ ...asked('weather in Rome?'), tools: [tool] });
      later.addTools(tool);
      const changed = messages.toolRunner({ ...asked('hi'), tools: [] });
      changed.setMessagesParams((params) => ({ ...params, ...asked('weather in Oslo?'), tools: [tool] }));
      const thread = messages.thread({ ...asked('weather in Lima?'), tools: [tool] });
      return [await later, await changed, await thread.toolRunner()];
    });
    expect([report.verdict, report.divergence, report.output]).toEqual(['matched', null, recorded]);
    expect(ran).toEqual(['Rome', 'Oslo', 'Lima']);
    const calls = trace.events.filter((event) => event.type === 'tool_call');
    expect(calls.map(({ name, input }) => [name, input])).toEqual(ran.map((city) => ['weather', { city }]));
  });

  test('runs a tool as the object that it is, and one that is traced without the context', async () => {
    class Station {
      readonly name = 'weather';
      readonly input_schema = { type: 'object' as const };
      #degrees = 21;
      run = async ({ city }: City) => `${this.#degrees} in ${city}`;
      parse = (input: unknown) => input as City;
    }
    const given: unknown[] = [];
    const traced = traceTool('weather', async (input: City, ...rest: unknown[]) => {
      given.push(input, ...rest);
      return 'sun';
    });
    const anthropic = client();
    const ask = (tool: ReturnType<typeof weather>) =>
      anthropic.beta.messages.toolRunner({ ...asked('weather in Rome?'), tools: [tool] });
    const { recorded, report } = await roundTrip(bundle(), server, async () => [
      await ask(new Station()),
      await ask(weather(traced)),
    ]);
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
    expect(given).toEqual([{ city: 'Rome' }]);
  });

  test('is refused where it is no client', () => {
    expect(() => instrument({ messages: {} })).toThrow(
      /^the @anthropic-ai\/sdk adapter needs a client that has fetch, /,
    );
    expect(() => instrument({ messages: {} })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
