import { llmRequest } from '@stepfork/recorder';
import { complete, type Message } from './fake-provider.js';

const MODEL = 'support-small';
const READ_CLAIM =
  'Why does the customer want the money back? Answer with JSON: {"reason": "damaged" | "wrong_item" | "changed_mind"}.';

export interface Claim {
  readonly reason: 'damaged' | 'wrong_item' | 'changed_mind';
}

/** Has the model read why a customer wants the money back. */
export async function readClaim(message: string): Promise<Claim> {
  const messages: Message[] = [
    { role: 'system', content: READ_CLAIM },
    { role: 'user', content: message },
  ];
  const completion = await llmRequest({
    provider: 'fake',
    model: MODEL,
    input: { messages },
    call: () => complete(MODEL, messages),
  });
  return JSON.parse(completion.content) as Claim;
}
