import type { createOpenAI, OpenAIProvider } from '@ai-sdk/openai';
import type * as ai from 'ai';

/** What of the SDK the tests use, which is alike in all releases. */
export type Ai = typeof ai;
export type { OpenAIProvider };

export interface Release {
  readonly ai: Ai;
  readonly createOpenAI: typeof createOpenAI;
}
