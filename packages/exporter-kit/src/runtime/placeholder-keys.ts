import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Where SDKs look for the key of a provider, the first name being the one that is given. openai, groq-sdk, together-ai,
 * @cerebras/cerebras_cloud_sdk and @google/genai refuse to make a client without one, the others to send a request; the
 * AI SDK's providers read the same names, and Google's one more.
 */
const KEYS: readonly (readonly string[])[] = [
  ['OPENAI_API_KEY'],
  ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  ['GOOGLE_GENERATIVE_AI_API_KEY'],
  ['MISTRAL_API_KEY'],
  ['CO_API_KEY'],
  ['GROQ_API_KEY'],
  ['DEEPSEEK_API_KEY'],
  ['XAI_API_KEY'],
  ['TOGETHER_API_KEY'],
  ['FIREWORKS_API_KEY'],
  ['PERPLEXITY_API_KEY'],
  ['CEREBRAS_API_KEY'],
  ['OPENROUTER_API_KEY'],
];

/** Its client refuses a key beside the token of a project that signs in by this package. */
const AZURE = { key: 'AZURE_OPENAI_API_KEY', signsIn: '@azure/identity' };

/** Says for itself what it is, where it turns up. */
export const PLACEHOLDER_KEY = 'stepfork-placeholder-key';

/**
 * Gives a key to every known provider that has none, so that a module which makes its client while it loads
 * (`const client = new OpenAI()`) loads. A replay sends nothing, so no provider sees it.
 */
export function givePlaceholderKeys(): void {
  const { env } = process;
  for (const names of KEYS) {
    const [given] = names;
    if (given !== undefined && names.every((name) => !env[name])) env[given] = PLACEHOLDER_KEY;
  }
  if (!env[AZURE.key] && !isInstalled(AZURE.signsIn)) env[AZURE.key] = PLACEHOLDER_KEY;
}

function isInstalled(name: string): boolean {
  try {
    createRequire(join(process.cwd(), 'package.json')).resolve(name);
    return true;
  } catch {
    return false;
  }
}
