import {
  type AdapterUnderTest,
  MODELS,
  type Question,
  startOpenAiServer,
  thrownBy,
} from '@stepfork/adapter-conformance';
import type OpenAI from 'openai';
import { z } from 'zod';
import { instrument } from '../../src/index.js';
import type { Sdk } from './sdks.js';

const WEATHER = {
  name: 'weather',
  description: 'The weather in a city',
  parameters: { type: 'object' as const, properties: { city: { type: 'string' as const } } },
};
const WEATHER_TOOL = { type: 'function' as const, function: WEATHER };
const RESPONSE = { model: 'gpt-4o-mini', input: 'me' };

const chat = ({ text, model = 'gpt-4o-mini', image }: Question) => {
  const shown = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${image}` } };
  const content = image === undefined ? text : [{ type: 'text' as const, text }, shown];
  return { model, messages: [{ role: 'user' as const, content }] };
};
const hi = chat({ text: 'hi' });

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** The adapter, and how this release of the SDK is used. */
export function openaiUnderTest(sdk: Sdk): AdapterUnderTest<OpenAI> {
  const { OpenAI, zodFunction, zodResponseFormat, zodTextFormat } = sdk;
  const place = z.object({ city: z.string() });
  return {
    provider: 'openai',
    root: '/v1',
    serve: startOpenAiServer,
    connect: (connection) => new OpenAI(connection),
    connectBy: (baseURL, apiKey) => new OpenAI({ baseURL, apiKey }),
    instrument,
    ask: (openai, { signal, ...question }) => openai.chat.completions.create(chat(question), { signal }),
    stream: (openai, { signal, ...question }) =>
      openai.chat.completions.create({ ...chat(question), stream: true }, { signal }),
    runTools: async (openai, question, { run }) => {
      const tool = { type: 'function' as const, function: { ...WEATHER, function: run, parse: JSON.parse } };
      return openai.chat.completions.runTools({ ...chat(question), tools: [tool] }).finalContent();
    },
    copy: (openai) => openai.withOptions({ maxRetries: 0 }),
    apis: {
      'chat.completions.create': async (openai) => {
        const completion = await openai.chat.completions.create(hi);
        return [completion, completion._request_id];
      },
      'chat.completions.create, streamed': async (openai) =>
        all(await openai.chat.completions.create({ ...hi, stream: true })),
      'chat.completions.stream with tool calls': async (openai) => {
        const asked = chat({ text: 'weather in Rome and Oslo?' });
        const stream = openai.chat.completions.stream({ ...asked, tools: [WEATHER_TOOL] });
        const deltas: string[] = [];
        stream.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => deltas.push(arguments_delta));
        return [await stream.finalMessage(), await stream.totalUsage(), deltas];
      },
      'chat.completions.parse': async (openai) => {
        const format = zodResponseFormat(place, 'place');
        const asked = { ...chat({ text: '{"city":"Rome"}' }), response_format: format };
        return (await openai.chat.completions.parse(asked)).choices[0]?.message.parsed;
      },
      'chat.completions.runTools': async (openai) => {
        const tool = zodFunction({ name: 'weather', parameters: place, function: ({ city }) => `sun over ${city}` });
        const asked = chat({ text: 'weather in Rome and Oslo?' });
        return openai.chat.completions.runTools({ ...asked, tools: [tool] }).finalContent();
      },
      'chat.completions.runTools, streamed': async (openai) => {
        const tool = zodFunction({ name: 'weather', parameters: place, function: ({ city }) => `sun over ${city}` });
        const asked = chat({ text: 'weather in Rome and Oslo?' });
        const runner = openai.chat.completions.runTools({ ...asked, tools: [tool], stream: true });
        return [await runner.finalContent(), runner.messages];
      },
      'a stream in two by tee': async (openai) => {
        const stream = await openai.chat.completions.create({ ...hi, stream: true });
        return Promise.all(stream.tee().map((half) => all(half)));
      },
      'withResponse and asResponse': async (openai) => {
        const { data, response, request_id } = await openai.chat.completions.create(hi).withResponse();
        const raw = await openai.chat.completions.create(hi).asResponse();
        return [data, response.status, request_id, await raw.text()];
      },
      'responses.create': async (openai) => {
        const { output_text, usage } = await openai.responses.create(RESPONSE);
        return [output_text, usage];
      },
      'responses.create, streamed': async (openai) => all(await openai.responses.create({ ...RESPONSE, stream: true })),
      'responses.stream': async (openai) => {
        const stream = openai.responses.stream(RESPONSE);
        return [(await all(stream)).length, (await stream.finalResponse()).output];
      },
      'responses.parse': async (openai) => {
        const text = { format: zodTextFormat(place, 'place') };
        const { id, output_parsed } = await openai.responses.parse({ ...RESPONSE, input: '{"city":"Rome"}', text });
        return [id, output_parsed?.city];
      },
      'embeddings.create': async (openai) =>
        (await openai.embeddings.create({ model: 'embed-1', input: 'two words' })).data[0]?.embedding,
      'images.generate': async (openai) =>
        (await openai.images.generate({ model: 'gpt-image-1', prompt: 'a dot' })).data,
      'a question with an image': async (openai) =>
        openai.chat.completions.create(chat({ text: 'what is this?', image: 'iVBORw0KGgo=' })),
      'a 429, then success': async (openai) =>
        openai.chat.completions.create(chat({ text: 'hi', model: MODELS.busyOnce })),
      'a 500, then success': async (openai) =>
        openai.chat.completions.create(chat({ text: 'hi', model: MODELS.downOnce })),
      'a 404': (openai) => thrownBy(openai.chat.completions.create(chat({ text: 'hi', model: MODELS.missing }))),
      'an abandoned stream': async (openai) => {
        for await (const chunk of await openai.chat.completions.create({ ...hi, stream: true })) {
          if (chunk.choices[0]?.delta.content) return chunk;
        }
        return null;
      },
      'parallel calls that end out of order': async (openai) => {
        const ended: string[] = [];
        const ask = async (text: string): Promise<unknown> => {
          const completion = await openai.chat.completions.create(chat({ text }));
          ended.push(text);
          return completion;
        };
        return [await Promise.all(['slow', 'fast', 'slow'].map(ask)), ended];
      },
      'a copy by withOptions': async (openai) => openai.withOptions({ maxRetries: 0 }).chat.completions.create(hi),
    },
  };
}
