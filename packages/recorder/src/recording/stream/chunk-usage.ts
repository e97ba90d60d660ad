import type { LlmUsage } from '../../boundary/handler.js';
import { own } from '../own.js';
import { usageOf } from '../usage.js';

/** Tokens, cost and model of an answer that came in chunks, wherever its provider says them; the last word counts. */
export class ChunkUsage {
  #usage: LlmUsage = {};

  get usage(): LlmUsage {
    return this.#usage;
  }

  see(chunk: unknown): void {
    for (const usage of usagesIn(chunk)) {
      const said = Object.entries(usage).filter(([, value]) => value !== undefined);
      if (said.length > 0) this.#usage = { ...this.#usage, ...Object.fromEntries(said) };
    }
  }
}

/**
 * In the chunk itself (OpenAI, Google, Anthropic's `message_delta`), in what it starts or ends (Anthropic's
 * `message_start`, OpenAI's `response.completed`), and as the sum of an AI SDK's steps (`finish`).
 */
function usagesIn(chunk: unknown): LlmUsage[] {
  const total = own(chunk, 'totalUsage');
  const found = [chunk, own(chunk, 'message'), own(chunk, 'response')];
  if (total !== undefined) found.push({ usage: total });
  return found.filter((part) => typeof part === 'object' && part !== null).map(usageOf);
}
