import type Anthropic from '@anthropic-ai/sdk';
import {
  type AdapterUnderTest,
  MODELS,
  type Question,
  startAnthropicServer,
  thrownBy,
} from '@stepfork/adapter-conformance';
import { z } from 'zod';
import { instrument } from '../../src/index.js';
import type { Sdk } from './sdks.js';

const WEATHER = {
  name: 'weather',
  description: 'The weather in a city',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' as const } } },
};

const asked = ({ text, model = 'claude-sonnet-5', image }: Question) => {
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: image ?? '' };
  const shown = [
    { type: 'text' as const, text },
    { type: 'image' as const, source },
  ];
  const content = image === undefined ? text : shown;
  return { model, max_tokens: 1024, messages: [{ role: 'user' as const, content }] };
};
const hi = asked({ text: 'hi' });
const twoCities = asked({ text: 'weather in Rome and Oslo?' });

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** The adapter, and how this release of the SDK is used. */
export function anthropicUnderTest({ Anthropic, betaZodTool, takesKeyFunction }: Sdk): AdapterUnderTest<Anthropic> {
  const sunOver = () =>
    betaZodTool({
      name: 'weather',
      description: 'The weather in a city',
      inputSchema: z.object({ city: z.string() }),
      run: ({ city }) => `sun over ${city}`,
    });
  return {
    provider: 'anthropic',
    // The SDK adds `/v1` itself.
    root: '',
    serve: startAnthropicServer,
    connect: (connection) => new Anthropic(connection),
    ...(takesKeyFunction ? { connectBy: (baseURL, apiKey) => new Anthropic({ baseURL, apiKey }) } : {}),
    instrument,
    ask: (anthropic, { signal, ...question }) => anthropic.messages.create(asked(question), { signal }),
    stream: (anthropic, { signal, ...question }) =>
      anthropic.messages.create({ ...asked(question), stream: true }, { signal }),
    runTools: async (anthropic, question, { run }) => {
      const tool = { ...WEATHER, run, parse: (content: unknown) => content as { readonly city: string } };
      return anthropic.beta.messages.toolRunner({ ...asked(question), tools: [tool] });
    },
    copy: (anthropic) => anthropic.withOptions({ maxRetries: 0 }),
    apis: {
      'messages.create': async (anthropic) => {
        const message = await anthropic.messages.create(hi);
        return [message, message._request_id];
      },
      'messages.create, streamed': async (anthropic) => all(await anthropic.messages.create({ ...hi, stream: true })),
      'messages.stream': async (anthropic) => {
        const texts: unknown[] = [];
        const stream = anthropic.messages.stream(hi).on('text', (delta, snapshot) => texts.push([delta, snapshot]));
        return [await stream.finalMessage(), await stream.finalText(), texts];
      },
      'messages.stream with tool calls': async (anthropic) => {
        const events: string[] = [];
        const stream = anthropic.messages.stream({ ...twoCities, tools: [WEATHER] });
        stream.on('streamEvent', ({ type }) => events.push(type)).on('inputJson', (part) => events.push(part));
        return [await stream.finalMessage(), events];
      },
      'messages.countTokens': async (anthropic) => {
        const { model, messages } = hi;
        return anthropic.messages.countTokens({ model, messages });
      },
      'withResponse and asResponse': async (anthropic) => {
        const { data, response, request_id } = await anthropic.messages.create(hi).withResponse();
        const raw = await anthropic.messages.create(hi).asResponse();
        return [data, response.status, request_id, await raw.text()];
      },
      'beta.messages.create': async (anthropic) =>
        anthropic.beta.messages.create({ ...hi, betas: ['test-2026-01-01'] }),
      'beta.messages.stream': async (anthropic) => anthropic.beta.messages.stream(hi).finalMessage(),
      'beta.messages.toolRunner with betaZodTool': async (anthropic) =>
        anthropic.beta.messages.toolRunner({ ...twoCities, tools: [sunOver()] }),
      'beta.messages.toolRunner, message by message': async (anthropic) =>
        all(anthropic.beta.messages.toolRunner({ ...twoCities, tools: [sunOver()] })),
      'beta.messages.toolRunner, streamed': async (anthropic) => {
        const messages: unknown[] = [];
        for await (const stream of anthropic.beta.messages.toolRunner({
          ...twoCities,
          tools: [sunOver()],
          stream: true,
        })) {
          messages.push(await stream.finalMessage());
        }
        return messages;
      },
      'a question with an image': async (anthropic) =>
        anthropic.messages.create(asked({ text: 'what is this?', image: 'iVBORw0KGgo=' })),
      'a 429, then success': async (anthropic) =>
        anthropic.messages.create(asked({ text: 'hi', model: MODELS.busyOnce })),
      'a 500, then success': async (anthropic) =>
        anthropic.messages.create(asked({ text: 'hi', model: MODELS.downOnce })),
      'a 404': (anthropic) => thrownBy(anthropic.messages.create(asked({ text: 'hi', model: MODELS.missing }))),
      'an abandoned stream': async (anthropic) => {
        for await (const event of await anthropic.messages.create({ ...hi, stream: true })) {
          if (event.type === 'content_block_delta') return event;
        }
        return null;
      },
      'parallel calls that end out of order': async (anthropic) => {
        const ended: string[] = [];
        const ask = async (text: string): Promise<unknown> => {
          const message = await anthropic.messages.create(asked({ text }));
          ended.push(text);
          return message;
        };
        return [await Promise.all(['slow', 'fast', 'slow'].map(ask)), ended];
      },
      'a copy by withOptions': async (anthropic) => anthropic.withOptions({ maxRetries: 0 }).messages.create(hi),
    },
  };
}
