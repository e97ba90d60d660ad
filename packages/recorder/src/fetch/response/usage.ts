import type { LlmUsage } from '../../boundary/handler.js';
import { ChunkUsage } from '../../recording/stream/chunk-usage.js';
import { usageOf } from '../../recording/usage.js';
import { type Chunks, eventsOf } from '../assemble/events.js';
import type { WholeExchange } from './exchange.js';

/** What an answer says of itself: the document, or the events that its chunks hold. */
export function usageOfAnswer(answer: unknown): LlmUsage {
  if (!Array.isArray(answer)) return usageOf((answer as WholeExchange).body);
  const usage = new ChunkUsage();
  for (const event of eventsOf(answer as Chunks)) usage.see(event);
  return usage.usage;
}
