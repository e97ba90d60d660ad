import {
  type Answers,
  inOddPieces,
  pathOf,
  startWireServer,
  typedSse,
  type WireAnswer,
  type WireServer,
} from './server.js';
import { citiesIn, troubles } from './trouble.js';

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

/** What a question is made of. */
export interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly source?: { readonly data?: string };
}

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages: readonly Message[];
}

/** Speaks the wire format of Anthropic's API. What it answers depends on what it is asked, and on nothing else. */
export function startAnthropicServer(): Promise<WireServer> {
  return startWireServer(anthropicAnswers());
}

export function anthropicAnswers(): Answers {
  const trouble = troubles({
    ofKey: refusal(401, 'authentication_error', 'invalid x-api-key'),
    ofModel: refusal(404, 'not_found_error', 'model: no-such-model'),
    busy: refusal(429, 'rate_limit_error', 'Number of requests has exceeded your rate limit'),
  });
  return (request) => trouble(request) ?? answerTo(pathOf(request), request.body as Asked);
}

function refusal(status: number, type: string, message: string): WireAnswer {
  return { status, json: { type: 'error', error: { type, message }, request_id: `req_${status}` } };
}

function answerTo(path: string, asked: Asked): WireAnswer {
  if (path.endsWith('/messages/count_tokens')) return { json: { input_tokens: lastOf(asked).text.length } };
  if (path.endsWith('/messages')) return asked.stream === true ? messageStream(asked) : message(asked);
  return refusal(404, 'not_found_error', `no such path: ${path}`);
}

/** What the last who spoke said, or all that its tools answered. */
function lastOf({ messages }: Asked): { readonly text: string; readonly isOfTools: boolean } {
  const { content = '' } = messages.findLast(({ role }) => role !== 'system') ?? {};
  if (typeof content === 'string') return { text: content, isOfTools: false };
  return { text: content.map(textOf).join(' '), isOfTools: content.some(({ type }) => type === 'tool_result') };
}

function textOf({ text, content, source }: Block): string {
  if (text !== undefined) return text;
  if (source !== undefined) return `an image of ${source.data?.length} characters`;
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** What an answer is made of; also where a cloud words it otherwise. */
export type Content = { readonly type: 'text'; readonly text: string } | ToolUse;

/** Of a stream: each says what it is, and then anything. */
interface Event extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

interface ToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

function contentOf(asked: Asked): readonly Content[] {
  const { text, isOfTools } = lastOf(asked);
  const cities = asked.tools === undefined || isOfTools ? [] : citiesIn(text);
  const calls = cities.map(
    (city, index): ToolUse => ({ type: 'tool_use', id: `toolu_${index}`, name: 'weather', input: { city } }),
  );
  const said = text.startsWith('{') ? text : `grüße 👋 ${isOfTools ? 'tools' : 'user'} said ${text}`;
  return calls.length > 0 ? [{ type: 'text', text: 'Let me look.' }, ...calls] : [{ type: 'text', text: said }];
}

function messageOf(asked: Asked, content: readonly Content[]): object {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content,
    stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 7 },
  };
}

function message(asked: Asked): WireAnswer {
  const { text } = lastOf(asked);
  return {
    json: messageOf(asked, contentOf(asked)),
    headers: { 'request-id': `req_${text.length}` },
    // Calls that are made side by side end the other way round.
    delayMs: text === 'slow' ? 60 : 0,
  };
}

function messageStream(asked: Asked): WireAnswer {
  const content = contentOf(asked);
  const whole = messageOf(asked, content) as { readonly stop_reason: string };
  const start = { ...whole, content: [], stop_reason: null, usage: { input_tokens: 11, output_tokens: 1 } };
  const events = [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...content.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason: whole.stop_reason, stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    { type: 'message_stop' },
  ];
  return { pieces: inOddPieces(typedSse(events).join('')), headers: { 'request-id': 'req_stream' } };
}

function blockEvents(block: Content, index: number): readonly Event[] {
  const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
  const whole = block.type === 'text' ? block.text : JSON.stringify(block.input);
  const half = Math.ceil(whole.length / 2);
  const deltas = [whole.slice(0, half), whole.slice(half)].map((piece) => ({
    type: 'content_block_delta',
    index,
    delta:
      block.type === 'text' ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece },
  }));
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas,
    { type: 'content_block_stop', index },
  ];
}
