import { instrument } from '@stepfork/adapter-openai';
import OpenAI from 'openai';

export interface Assessment {
  readonly severity: 'sev1' | 'sev2' | 'sev3';
  readonly escalation_required: boolean;
  readonly suspect: string;
}

// A replay and the tests need no key.
const openai = instrument(new OpenAI({ apiKey: process.env.OPENAI_API_KEY ?? 'none' }));

/** Has the model judge an incident by what is known of it. */
export async function assess(evidence: object): Promise<Assessment> {
  const completion = await openai.chat.completions.create({
    model: 'gpt-4o-mini',
    response_format: { type: 'json_object' },
    messages: [
      {
        role: 'system',
        content: 'Judge the incident. Answer with JSON: {"severity", "escalation_required", "suspect"}.',
      },
      { role: 'user', content: JSON.stringify(evidence) },
    ],
  });
  return JSON.parse(completion.choices[0]?.message.content ?? '') as Assessment;
}
