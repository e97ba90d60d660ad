import { isName } from '../boundary/check.js';
import type { LlmUsage } from '../boundary/handler.js';
import { own } from './own.js';

/** Tokens, cost and model of an answer, as the response event holds them. */
export interface ResponseFacts {
  readonly model: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
}

/** Where providers and SDKs put them, by the object that holds the counts. */
const USAGE_AT = [['usage'], ['usageMetadata'], ['usage_metadata'], ['response', 'usage']] as const;
const MODEL_AT = [['model'], ['modelVersion'], ['modelId'], ['response', 'modelId']] as const;
const PROMPT = ['prompt_tokens', 'input_tokens', 'inputTokens', 'promptTokens', 'promptTokenCount'] as const;
const COMPLETION = ['completion_tokens', 'output_tokens', 'outputTokens', 'completionTokens'] as const;
const TOTAL = ['total_tokens', 'totalTokens', 'totalTokenCount', 'tokens'] as const;
const COST = ['cost_usd', 'costUsd', 'cost'] as const;
/** Counted beside the prompt by Anthropic, and as part of it by everybody else, under other names. */
const PROMPT_CACHE = ['cache_creation_input_tokens', 'cache_read_input_tokens'] as const;

/** Reads the usual shapes: OpenAI, Anthropic, AI SDK, Google, Bedrock, Mistral, LangChain, OpenRouter. */
export function usageOf(response: unknown): LlmUsage {
  const usage = USAGE_AT.map((path) => at(response, path)).find((found) => typeof found === 'object' && found !== null);
  const prompt = firstCount(usage, PROMPT);
  const cached = PROMPT_CACHE.map((key) => count(own(usage, key)) ?? 0).reduce((sum, tokens) => sum + tokens, 0);
  return {
    model: MODEL_AT.map((path) => at(response, path)).find(isName),
    promptTokens: prompt === undefined ? undefined : prompt + cached,
    completionTokens: firstCount(usage, COMPLETION) ?? googleCompletion(usage),
    totalTokens: firstCount(usage, TOTAL),
    costUsd: COST.map((key) => amount(own(usage, key))).find((cost) => cost !== undefined),
  };
}

/** What of it the format can hold; the model is the request's unless the response names its own. */
export function toResponseFacts(said: LlmUsage | null | undefined, requestedModel: string): ResponseFacts {
  const { model, promptTokens, completionTokens, totalTokens, costUsd } = said ?? {};
  const prompt = count(promptTokens) ?? null;
  const completion = count(completionTokens) ?? null;
  const sum = prompt === null || completion === null ? null : (count(prompt + completion) ?? null);
  return {
    model: isName(model) ? model : requestedModel,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: count(totalTokens) ?? sum,
    cost_usd: amount(costUsd) ?? null,
  };
}

/** Gemini counts what it thought apart from what it said. */
function googleCompletion(usage: unknown): number | undefined {
  const said = count(own(usage, 'candidatesTokenCount'));
  return said === undefined ? undefined : said + (count(own(usage, 'thoughtsTokenCount')) ?? 0);
}

function firstCount(usage: unknown, keys: readonly string[]): number | undefined {
  // The AI SDK's model layer splits a count: `inputTokens: { total, noCache, … }`.
  return keys.map((key) => count(own(usage, key)) ?? count(own(own(usage, key), 'total'))).find((n) => n !== undefined);
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce(own, value);
}

function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
