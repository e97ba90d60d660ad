import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { instrument } from '@stepfork/adapter-anthropic';
import { stockOf } from './warehouse.js';

// A replay and the tests need no key.
const anthropic = instrument(new Anthropic({ apiKey: process.env.ANTHROPIC_API_KEY ?? 'none' }));

/** Traced by the instrumented client, since its tool runner is what calls it. */
const stockLevel = betaTool({
  name: 'stock_level',
  description: 'How much of an article there is, and how much of it is sold',
  inputSchema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
  run: async ({ article }) => JSON.stringify(await stockOf(article)),
});

/** Has the model look at the stock and say how many pieces are needed for the next weeks. */
export async function piecesNeeded(article: string, weeks: number): Promise<number> {
  const message = await anthropic.beta.messages.toolRunner({
    model: 'claude-sonnet-5',
    max_tokens: 256,
    messages: [{ role: 'user', content: `How many more of ${article} for ${weeks} weeks? Answer with a number.` }],
    tools: [stockLevel],
  });
  const [block] = message.content;
  return Number(block?.type === 'text' ? block.text : Number.NaN);
}
