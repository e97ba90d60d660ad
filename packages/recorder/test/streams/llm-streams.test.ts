import { llmRequest } from '@stepfork/recorder';
import { streamOf, type Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { ownDirectory } from '../support/bundles.js';
import { drain, outputOf, recordedIn } from '../support/stream-runs.js';

const directory = ownDirectory();
const recorded = recordedIn(directory);

describe('the answer of a model in chunks', () => {
  async function answered(chunks: readonly unknown[], most = Number.POSITIVE_INFINITY): Promise<Trace> {
    return recorded(async () => {
      const stream = llmRequest({
        provider: 'p',
        model: 'asked',
        input: {},
        call: async function* () {
          yield* chunks;
        },
      });
      let read = 0;
      if (most > 0) for await (const _chunk of stream) if (++read === most) break;
    });
  }

  const openai = [
    { model: 'gpt-4o-mini', choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }], usage: null },
    { model: 'gpt-4o-mini', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null },
    { model: 'gpt-4o-mini', choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } },
  ];
  const anthropic = [
    { type: 'message_start', message: { model: 'claude', usage: { input_tokens: 5, output_tokens: 1 } } },
    { type: 'content_block_delta', delta: { text: 'a' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ];
  const responses = [
    { type: 'response.output_text.delta', delta: 'a' },
    { type: 'response.completed', response: { model: 'gpt-5', usage: { input_tokens: 3, output_tokens: 2 } } },
  ];
  const aiSdk = [
    { type: 'text-delta', text: 'a' },
    { type: 'finish-step', usage: { inputTokens: 2, outputTokens: 1 }, response: { modelId: 'm-1' } },
    { type: 'finish', totalUsage: { inputTokens: 4, outputTokens: 2, totalTokens: 6 } },
  ];
  const google = [
    { modelVersion: 'gemini', usageMetadata: { promptTokenCount: 4 } },
    { modelVersion: 'gemini', usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 3, totalTokenCount: 7 } },
  ];

  it.each<[string, readonly unknown[], readonly [string, number, number, number]]>([
    ['OpenAI', openai, ['gpt-4o-mini', 7, 2, 9]],
    ['Anthropic', anthropic, ['claude', 5, 4, 9]],
    ["OpenAI's Responses", responses, ['gpt-5', 3, 2, 5]],
    ['the AI SDK', aiSdk, ['m-1', 4, 2, 6]],
    ['Google', google, ['gemini', 4, 3, 7]],
  ])(
    'B171 says its tokens and its model where %s puts them',
    async (_provider, chunks, [model, prompt, completion, total]) => {
      expect((await answered(chunks)).events[2]).toMatchObject({
        type: 'llm_response',
        model,
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: total,
      });
    },
  );

  it('B171 says them to the usage callback, which is given all chunks', async () => {
    const trace = await recorded(async () => {
      const stream = llmRequest({
        model: 'asked',
        input: {},
        call: async () => ReadableStream.from([{ words: 1 }, { words: 2 }]),
        usage: (chunks) => ({ completionTokens: chunks.reduce((sum, { words }) => sum + words, 0), costUsd: 0.5 }),
      });
      await drain(await stream);
    });
    expect(trace.events[2]).toMatchObject({ model: 'asked', completion_tokens: 3, cost_usd: 0.5 });
    expect(trace.totals.cost_usd).toBe(0.5);
  });

  it.each<[string, readonly unknown[], number, 'complete' | 'cancelled']>([
    ["OpenAI's last choice", openai, 2, 'complete'],
    ["what comes after OpenAI's last choice", openai, 3, 'complete'],
    ['a chunk before it', openai, 1, 'cancelled'],
    [
      'the first of two choices',
      [
        {
          choices: [
            { index: 0, finish_reason: null },
            { index: 1, finish_reason: null },
          ],
        },
        { choices: [{ index: 1, finish_reason: 'stop' }] },
      ],
      2,
      'cancelled',
    ],
    ["Anthropic's last event", anthropic, 4, 'complete'],
    ['an event before it', anthropic, 3, 'cancelled'],
    ["Responses' last event", responses, 2, 'complete'],
    ["the AI SDK's last part", aiSdk, 3, 'complete'],
    ['its last step', aiSdk, 2, 'cancelled'],
    ["a text stream's last line", ['data: {}\n\n', 'data: [DONE]\n\n'], 2, 'complete'],
    ["a byte stream's last line", [new TextEncoder().encode('data: {}\n\ndata: [DONE]\n\n')], 1, 'complete'],
  ])('counts as complete when it is given up after %s', async (_what, chunks, most, end) => {
    expect(streamOf(outputOf(await answered(chunks, most), 2))?.end).toBe(end);
  });

  it('says nothing of itself where looking at it throws', async () => {
    const shy = new Proxy(
      {},
      {
        getOwnPropertyDescriptor() {
          throw new Error('no');
        },
      },
    );
    const trace = await answered([shy, { usage: { completion_tokens: 1 } }]);
    expect(trace.events[2]).toMatchObject({ type: 'llm_response', completion_tokens: 1 });
  });
});
