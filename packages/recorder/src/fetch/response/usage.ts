import type { LlmUsage } from '../../boundary/handler.js';
import { ChunkUsage } from '../../recording/stream/chunk-usage.js';
import { usageOf } from '../../recording/usage.js';
import { type Chunks, eventsOf } from '../assemble/events.js';
import type { WholeExchange } from './exchange.js';
import { saidBy } from './whole-body.js';

/** What an answer says of itself: the document, or the events that its chunks hold. */
export function usageOfAnswer(answer: unknown): LlmUsage {
  if (!Array.isArray(answer)) return usageOf(saidBy((answer as WholeExchange).body));
  const usage = new ChunkUsage();
  for (const event of documentsOf(answer as Chunks)) usage.see(event);
  return usage.usage;
}

/** A document that came in pieces is one all the same. */
function documentsOf(chunks: Chunks): readonly unknown[] {
  const document = saidBy(Buffer.concat(chunks).toString());
  return typeof document === 'string' ? eventsOf(chunks) : [document];
}
