import {
  sse,
  startWireServer,
  type WireAnswer,
  type WireServer,
} from '../../../recorder/test/fetch/support/wire-server.js';

export type { WireServer };

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly input?: unknown;
}

/** Speaks the wire format of OpenAI's API. What it answers depends on what it is asked, and on nothing else. */
export function startOpenAiServer(): Promise<WireServer> {
  const seen = new Map<string, number>();
  return startWireServer((request) => {
    const { model = '', stream = false } = (request.body ?? {}) as Partial<Asked>;
    const count = (seen.get(model) ?? 0) + 1;
    seen.set(model, count);
    const trouble = troubleOf(model, count);
    if (trouble !== null) return trouble;
    const asked = request.body as Asked;
    if (request.path === '/v1/chat/completions') return stream ? chatStream(asked) : chat(asked);
    if (request.path === '/v1/responses') return stream ? responseStream(asked) : response(asked);
    if (request.path === '/v1/embeddings') return embedding();
    return {
      status: 404,
      json: { error: { message: `no such path: ${request.path}`, type: 'invalid_request_error' } },
    };
  });
}

/** Models that are named for what they answer. */
function troubleOf(model: string, count: number): WireAnswer | null {
  if (model === 'no-such-model') {
    const error = {
      message: "The model 'no-such-model' does not exist",
      type: 'invalid_request_error',
      code: 'model_not_found',
    };
    return { status: 404, json: { error }, headers: { 'x-request-id': 'req_404' } };
  }
  if (model === 'busy-once' && count === 1) {
    return { status: 429, json: { error: { message: 'Rate limit reached' } }, headers: { 'retry-after': '0.05' } };
  }
  return model === 'down-once' && count === 1
    ? { status: 500, text: 'oops', headers: { 'retry-after-ms': '5' } }
    : null;
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

function lastOf({ messages = [] }: Asked): { readonly role: string; readonly content: string } {
  return messages.at(-1) ?? { role: 'user', content: '' };
}

const TOOL_CALL = { name: 'weather', arguments: '{"city":"Rome"}' };

function callsTool(asked: Asked): boolean {
  return asked.tools !== undefined && lastOf(asked).role === 'user';
}

function chat(asked: Asked): WireAnswer {
  const { role, content } = lastOf(asked);
  const called = { id: 'call_1', type: 'function', function: TOOL_CALL };
  const said = {
    role: 'assistant',
    content: content.startsWith('{') ? content : `${role} said ${content}`,
    refusal: null,
  };
  const message = callsTool(asked) ? { ...said, content: null, tool_calls: [called] } : said;
  const choice = { index: 0, message, logprobs: null, finish_reason: callsTool(asked) ? 'tool_calls' : 'stop' };
  return {
    json: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: asked.model,
      choices: [choice],
      usage: USAGE,
    },
    headers: { 'x-request-id': `req_${content.length}` },
    // Calls that are made side by side end the other way round.
    delayMs: content === 'slow' ? 60 : 0,
  };
}

function chatStream(asked: Asked): WireAnswer {
  const base = { id: 'chatcmpl-2', object: 'chat.completion.chunk', created: 1_700_000_000, model: asked.model };
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const { name, arguments: text } = TOOL_CALL;
  const called = (part: object): object => chunk({ tool_calls: [{ index: 0, ...part }] });
  const parts = callsTool(asked)
    ? [
        called({ id: 'call_1', type: 'function', function: { name, arguments: '' } }),
        called({ function: { arguments: text.slice(0, 8) } }),
        called({ function: { arguments: text.slice(8) } }),
        chunk({}, 'tool_calls'),
      ]
    : [
        chunk({ content: 'grüße ' }),
        chunk({ content: '👋 ' }),
        chunk({ content: lastOf(asked).content }),
        chunk({}, 'stop'),
      ];
  const events = sse(
    chunk({ role: 'assistant', content: callsTool(asked) ? null : '' }),
    ...parts,
    { ...base, choices: [], usage: USAGE },
    '[DONE]',
  );
  return { pieces: inOddPieces(events.join('')) };
}

/** Cut where no event and no character ends. */
function inOddPieces(text: string): readonly Uint8Array[] {
  const bytes = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 97) pieces.push(bytes.subarray(at, at + 97));
  return pieces;
}

function responseOf(asked: Asked): object {
  const content = [{ type: 'output_text', text: `heard ${String(asked.input)}`, annotations: [] }];
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
    { type: 'response.output_text.delta', ...place, delta: 'heard ' },
    { type: 'response.output_text.delta', ...place, delta: String(asked.input) },
    { type: 'response.completed', response: whole },
  ];
  const text = events.map(
    (event, index) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`,
  );
  return { pieces: text };
}

function embedding(): WireAnswer {
  const data = [
    { object: 'embedding', index: 0, embedding: Buffer.from(Float32Array.of(0.5, -0.25).buffer).toString('base64') },
  ];
  return { json: { object: 'list', data, model: 'embed-1', usage: { prompt_tokens: 2, total_tokens: 2 } } };
}
