import { halves } from './said.js';
import {
  type Answers,
  inOddPieces,
  pathOf,
  sse,
  startWireServer,
  typedSse,
  type WireAnswer,
  type WireServer,
} from './server.js';
import { citiesIn, troubles } from './trouble.js';

interface Message {
  readonly role: string;
  readonly content: string | readonly Part[] | null;
}

interface Part {
  readonly text?: string;
  readonly image_url?: { readonly url: string } | string;
}

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly Message[];
  readonly input?: unknown;
  readonly encoding_format?: string;
}

/** Speaks the wire format of OpenAI's API. What it answers depends on what it is asked, and on nothing else. */
export function startOpenAiServer(): Promise<WireServer> {
  return startWireServer(openAiAnswers());
}

export function openAiAnswers(): Answers {
  const trouble = troubles({
    ofKey: refusal(401, 'Incorrect API key provided', 'invalid_api_key'),
    ofModel: refusal(404, "The model 'no-such-model' does not exist", 'model_not_found'),
    busy: { status: 429, json: { error: { message: 'Rate limit reached' } } },
  });
  return (request) => trouble(request) ?? answerTo(pathOf(request), request.body as Asked);
}

export function refusal(status: number, message: string, code: string): WireAnswer {
  const error = { message, type: 'invalid_request_error', code };
  return { status, json: { error }, headers: { 'x-request-id': `req_${status}` } };
}

/** Whatever a base URL puts before it. */
function answerTo(path: string, asked: Asked): WireAnswer {
  if (path.endsWith('/chat/completions')) return asked.stream === true ? chatStream(asked) : chat(asked);
  if (path.endsWith('/responses')) return asked.stream === true ? responseStream(asked) : response(asked);
  if (path.endsWith('/embeddings')) return embedding(asked);
  if (path.endsWith('/images/generations')) return { json: { created: 1_700_000_000, data: [{ b64_json: PIXEL }] } };
  return refusal(404, `no such path: ${path}`, 'not_found');
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What the last who spoke said, or all that its tools answered. */
function lastOf({ messages = [] }: Asked): { readonly role: string; readonly text: string } {
  const role = messages.at(-1)?.role ?? 'user';
  const from = role === 'tool' ? messages.findLastIndex((message) => message.role !== 'tool') + 1 : -1;
  return { role, text: messages.slice(from).map(textOf).join(' ') };
}

function textOf({ content }: Message): string {
  if (typeof content === 'string' || content === null) return content ?? '';
  return content
    .map((part) => part.text ?? `an image of ${JSON.stringify(part.image_url).length} characters`)
    .join(' ');
}

const toolCalls = (asked: Asked): readonly { readonly name: string; readonly arguments: string }[] => {
  const { role, text } = lastOf(asked);
  if (asked.tools === undefined || role !== 'user') return [];
  return citiesIn(text).map((city) => ({ name: 'weather', arguments: JSON.stringify({ city }) }));
};

function chat(asked: Asked): WireAnswer {
  const { role, text } = lastOf(asked);
  const called = toolCalls(asked).map((call, index) => ({ id: `call_${index}`, type: 'function', function: call }));
  const said = { role: 'assistant', content: text.startsWith('{') ? text : `${role} said ${text}`, refusal: null };
  const message = called.length > 0 ? { ...said, content: null, tool_calls: called } : said;
  const choice = { index: 0, message, logprobs: null, finish_reason: called.length > 0 ? 'tool_calls' : 'stop' };
  return {
    json: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: asked.model,
      choices: [choice],
      usage: USAGE,
    },
    headers: { 'x-request-id': `req_${text.length}` },
    // Calls that are made side by side end the other way round.
    delayMs: text === 'slow' ? 60 : 0,
  };
}

function chatStream(asked: Asked): WireAnswer {
  const base = { id: 'chatcmpl-2', object: 'chat.completion.chunk', created: 1_700_000_000, model: asked.model };
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = toolCalls(asked).flatMap(({ name, arguments: text }, index) =>
    [
      { id: `call_${index}`, type: 'function', function: { name, arguments: '' } },
      { function: { arguments: text.slice(0, 8) } },
      { function: { arguments: text.slice(8) } },
    ].map((part) => chunk({ tool_calls: [{ index, ...part }] })),
  );
  const texts = ['grüße ', '👋 ', lastOf(asked).text].map((content) => chunk({ content }));
  const events = sse(
    chunk({ role: 'assistant', content: calls.length > 0 ? null : '' }),
    ...(calls.length > 0 ? [...calls, chunk({}, 'tool_calls')] : [...texts, chunk({}, 'stop')]),
    { ...base, choices: [], usage: USAGE },
    '[DONE]',
  );
  return { pieces: inOddPieces(events.join('')) };
}

/** A document as it is, so that one who wants one can read it. */
function heard({ input }: Asked): string {
  return typeof input === 'string' && input.startsWith('{') ? input : `heard ${JSON.stringify(input)}`;
}

function responseOf(asked: Asked): object {
  const content = [{ type: 'output_text', text: heard(asked), annotations: [] }];
  return {
    ...{
      id: 'resp_1',
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      model: asked.model,
      error: null,
    },
    output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }],
    usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
  };
}

const response = (asked: Asked): WireAnswer => ({ json: responseOf(asked) });

function responseStream(asked: Asked): WireAnswer {
  const whole = responseOf(asked);
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  const events = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
    ...halves(heard(asked)).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    { type: 'response.completed', response: whole },
  ];
  return { pieces: typedSse(events.map((event, sequence_number) => ({ ...event, sequence_number }))) };
}

function embedding({ encoding_format }: Asked): WireAnswer {
  const vector = Float32Array.of(0.5, -0.25);
  const embedding = encoding_format === 'float' ? [...vector] : Buffer.from(vector.buffer).toString('base64');
  const data = [{ object: 'embedding', index: 0, embedding }];
  return { json: { object: 'list', data, model: 'embed-1', usage: { prompt_tokens: 2, total_tokens: 2 } } };
}
