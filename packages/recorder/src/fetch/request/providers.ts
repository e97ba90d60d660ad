/** Where a provider's models are reached. */
interface Place {
  readonly provider: string;
  readonly host: RegExp;
  /** Where its API lies, when the host has other things, too. */
  readonly path?: RegExp;
}

const PLACES: readonly Place[] = [
  { provider: 'openai', host: /^(\w+\.)?api\.openai\.com$/ },
  { provider: 'azure', host: /\.(openai|services\.ai|cognitiveservices)\.azure\.com$/ },
  { provider: 'anthropic', host: /^api\.anthropic\.com$/ },
  { provider: 'google', host: /^generativelanguage\.googleapis\.com$/ },
  { provider: 'google-vertex', host: /(^|-)aiplatform\.(\w+\.rep\.)?googleapis\.com$/ },
  { provider: 'bedrock', host: /^bedrock-(runtime|mantle)[\w.-]*\.(amazonaws\.com(\.cn)?|api\.aws)$/ },
  { provider: 'mistral', host: /^(api|codestral)\.mistral\.ai$/ },
  { provider: 'cohere', host: /^api\.cohere\.(com|ai)$/ },
  { provider: 'groq', host: /^api\.groq\.com$/ },
  { provider: 'deepseek', host: /^api\.deepseek\.com$/ },
  { provider: 'xai', host: /^api\.x\.ai$/ },
  { provider: 'together', host: /^api\.together\.(xyz|ai)$/ },
  { provider: 'fireworks', host: /^api\.fireworks\.ai$/ },
  { provider: 'perplexity', host: /^api\.perplexity\.ai$/ },
  { provider: 'cerebras', host: /^api\.cerebras\.ai$/ },
  { provider: 'openrouter', host: /^openrouter\.ai$/, path: /^\/api\// },
  { provider: 'huggingface', host: /^router\.huggingface\.co$/ },
  { provider: 'vercel', host: /^ai-gateway\.vercel\.sh$/ },
];

/** The provider whose host this is; null for a host that is not known. */
export function providerAt({ hostname, pathname }: URL): string | null {
  const place = PLACES.find(({ host, path }) => host.test(hostname) && (path?.test(pathname) ?? true));
  return place?.provider ?? null;
}

/** A protocol that many servers speak: known by where a request goes and what it carries. */
interface Protocol {
  readonly name: string;
  readonly path: RegExp;
  /** Beside `model`. */
  readonly carries: readonly string[];
}

const PROTOCOLS: readonly Protocol[] = [
  { name: 'openai-compatible', path: /\/chat\/completions$/, carries: ['messages'] },
  { name: 'openai-compatible', path: /\/responses$/, carries: ['input'] },
  { name: 'openai-compatible', path: /\/embeddings$/, carries: ['input'] },
  { name: 'openai-compatible', path: /\/completions$/, carries: ['prompt'] },
  { name: 'anthropic-compatible', path: /\/messages$/, carries: ['messages', 'max_tokens'] },
  { name: 'ollama', path: /\/api\/chat$/, carries: ['messages'] },
  { name: 'ollama', path: /\/api\/generate$/, carries: ['prompt'] },
];

/** Whether a request to an unknown host may be one to a model, so that its body is worth a look. */
export function maySpeakProtocol(method: string, { pathname }: URL): boolean {
  return method === 'POST' && PROTOCOLS.some(({ path }) => path.test(pathname));
}

/** The protocol that a request's body speaks; null for none. */
export function protocolOf({ pathname }: URL, body: Readonly<Record<string, unknown>>): string | null {
  if (typeof body.model !== 'string') return null;
  const carries = (key: string): boolean => Object.hasOwn(body, key);
  return PROTOCOLS.find(({ path, carries: keys }) => path.test(pathname) && keys.every(carries))?.name ?? null;
}
