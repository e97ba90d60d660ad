import { describe, expect, it } from 'vitest';
import { toResponseFacts, usageOf } from './usage.js';

const facts = (response: unknown): unknown[] => {
  const { model, prompt_tokens, completion_tokens, total_tokens, cost_usd } = toResponseFacts(
    usageOf(response),
    'asked',
  );
  return [model, prompt_tokens, completion_tokens, total_tokens, cost_usd];
};

describe('usage', () => {
  it.each<[string, unknown, unknown[]]>([
    [
      'OpenAI chat completions',
      { model: 'gpt-4o-2024', usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } },
      ['gpt-4o-2024', 5, 7, 12, null],
    ],
    ['OpenAI responses', { model: 'm', usage: { input_tokens: 5, output_tokens: 7 } }, ['m', 5, 7, 12, null]],
    [
      'Anthropic with a prompt cache',
      {
        model: 'claude',
        usage: { input_tokens: 5, cache_creation_input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 7 },
      },
      ['claude', 10, 7, 17, null],
    ],
    [
      'the AI SDK',
      { response: { modelId: 'm' }, usage: { inputTokens: 5, outputTokens: 7, totalTokens: 20 } },
      ['m', 5, 7, 20, null],
    ],
    [
      "the AI SDK's model layer",
      { usage: { inputTokens: { total: 5, noCache: 1 }, outputTokens: { total: 7 } } },
      ['asked', 5, 7, 12, null],
    ],
    ['the AI SDK before 5', { usage: { promptTokens: 5, completionTokens: 7 } }, ['asked', 5, 7, 12, null]],
    [
      'Google',
      {
        modelVersion: 'gemini',
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, thoughtsTokenCount: 1, totalTokenCount: 13 },
      },
      ['gemini', 5, 8, 13, null],
    ],
    ['LangChain', { usage_metadata: { input_tokens: 5, output_tokens: 7 } }, ['asked', 5, 7, 12, null]],
    ['OpenRouter', { usage: { prompt_tokens: 5, completion_tokens: 7, cost: 0.25 } }, ['asked', 5, 7, 12, 0.25]],
    ['counts that are none', { usage: { prompt_tokens: -1, completion_tokens: 1.5, cost: Number.NaN } }, NONE()],
    ['a text', 'hello', NONE()],
    ['null', null, NONE()],
  ])('reads %s', (_what, response, expected) => {
    expect(facts(response)).toEqual(expected);
  });

  it('B172 takes the model of the request unless the response names one', () => {
    expect(facts({ model: '' })[0]).toBe('asked');
  });

  it('runs no getter: one may start to consume a stream', () => {
    class Result {
      get usage(): never {
        throw new Error('consumed');
      }
    }
    expect(facts(new Result())).toEqual(NONE());
  });
});

function NONE(): unknown[] {
  return ['asked', null, null, null, null];
}
