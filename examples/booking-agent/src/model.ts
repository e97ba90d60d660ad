import { llmRequest } from '@stepfork/recorder';
import { complete, type Message } from './fake-provider.js';

const MODEL = 'travel-small';

/** Asks the model and reads its answer as JSON. */
export async function ask<Answer>(instruction: string, text: string): Promise<Answer> {
  const messages: Message[] = [
    { role: 'system', content: instruction },
    { role: 'user', content: text },
  ];
  const completion = await llmRequest({
    provider: 'fake',
    model: MODEL,
    input: { messages },
    call: () => complete(MODEL, messages),
  });
  return JSON.parse(completion.content) as Answer;
}
