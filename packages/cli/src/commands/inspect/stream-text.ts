import { isJsonArray, isJsonObject, type Json } from '@stepfork/trace-format';

/**
 * The text that the chunks of a stream make together: those that are texts, and those in the shapes in which the usual
 * SDKs give a piece of one. Null where no chunk has any.
 */
export function streamText(chunks: readonly Json[]): string | null {
  const pieces = (serverSentEvents(chunks) ?? chunks).map(pieceOf);
  return pieces.some((piece) => piece !== null && piece !== '') ? pieces.join('') : null;
}

/** What the bytes of a response say, in JSON, event by event; null where they are no server-sent events. */
function serverSentEvents(chunks: readonly Json[]): readonly Json[] | null {
  if (!chunks.every((chunk) => typeof chunk === 'string')) return null;
  const lines = chunks.join('').split(/\r\n|\r|\n/);
  if (!/^(?:data|event|id|retry)?:/.test(lines[0] ?? '')) return null;
  const events = lines.flatMap((line) => (line.startsWith('data:') ? [jsonOf(line.slice(5))] : []));
  // Texts that only look like events stay the texts that they are.
  return events.some((event) => event !== null) ? events : null;
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function pieceOf(chunk: Json): string | null {
  if (typeof chunk === 'string') return chunk;
  if (!isJsonObject(chunk)) return null;
  return chatCompletion(chunk) ?? messagesEvent(chunk) ?? generatedContent(chunk) ?? textPart(chunk);
}

type Part = { readonly [key: string]: Json };

/** OpenAI chat completions and what is compatible with them: `choices[0].delta.content`. */
function chatCompletion({ choices }: Part): string | null {
  const choice = isJsonArray(choices) ? choices[0] : undefined;
  if (!isJsonObject(choice)) return null;
  const piece = isJsonObject(choice.delta) ? choice.delta.content : choice.text;
  return textOf(piece);
}

/** Anthropic `content_block_delta`; OpenAI Responses `response.output_text.delta`. */
function messagesEvent({ type, delta }: Part): string | null {
  if (type === 'content_block_delta' && isJsonObject(delta)) return textOf(delta.text) ?? textOf(delta.partial_json);
  return type === 'response.output_text.delta' ? textOf(delta) : null;
}

/** Google: `candidates[0].content.parts[].text`. */
function generatedContent({ candidates }: Part): string | null {
  const candidate = isJsonArray(candidates) ? candidates[0] : undefined;
  const content = isJsonObject(candidate) ? candidate.content : undefined;
  if (!isJsonObject(content) || !isJsonArray(content.parts)) return null;
  return content.parts.map((part) => (isJsonObject(part) ? textOf(part.text) : null) ?? '').join('');
}

/** AI SDK `text-delta`; Ollama `message.content` and `response`; LangChain `content`; a bare `text`. */
function textPart(part: Part): string | null {
  if (part.type === 'text-delta') return textOf(part.textDelta) ?? textOf(part.delta) ?? textOf(part.text);
  if (part.type !== undefined && part.type !== 'text') return null;
  const message = isJsonObject(part.message) ? part.message.content : undefined;
  return textOf(message) ?? textOf(part.response) ?? textOf(part.content) ?? textOf(part.text);
}

const textOf = (json: Json | undefined): string | null => (typeof json === 'string' ? json : null);
