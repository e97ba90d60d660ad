import { Buffer } from 'node:buffer';
import type { Json } from '@stepfork/trace-format/write';

/** A piece of one of the texts that take turns in a stream. */
export interface Turn {
  readonly text: number;
  readonly piece: string;
}

/** How a provider's stream says which text a piece belongs to. */
export interface Shape {
  /** The chunk for some pieces, usually one. */
  readonly chunk: (turns: readonly Turn[], position: number) => Json;
  /** The pieces in a chunk. */
  readonly turns: (chunk: Json) => readonly Turn[];
}

/** Parts of a chunk, by name. */
function at(value: Json | undefined, ...names: readonly (string | number)[]): Json | undefined {
  let part = value;
  for (const name of names) part = (part as { readonly [key: string]: Json } | undefined)?.[name];
  return part;
}

const listAt = (value: Json, ...names: readonly (string | number)[]): readonly Json[] =>
  at(value, ...names) as readonly Json[];

const turn = (text: Json | undefined, piece: Json | undefined): Turn => ({
  text: Number(String(text).replace(/\D/g, '')),
  piece: piece as string,
});

const one =
  (make: (turn: Turn, position: number) => Json): Shape['chunk'] =>
  ([turn], position) =>
    make(turn as Turn, position);

const openai: Shape = {
  chunk: one(({ text, piece }) => ({
    id: 'chatcmpl-9aBcDefGhIjKlMnOpQrStUvW',
    object: 'chat.completion.chunk',
    created: 1714000000,
    model: 'gpt-4o',
    choices: [{ index: text, delta: { content: piece }, logprobs: null, finish_reason: null }],
  })),
  turns: (chunk) => listAt(chunk, 'choices').map((choice) => turn(at(choice, 'index'), at(choice, 'delta', 'content'))),
};

const openaiTools: Shape = {
  chunk: one(({ text, piece }, position) => {
    const first = position < 4 && { id: `call_${text}`, type: 'function' };
    const call = { index: text, ...first, function: { arguments: piece } };
    return { id: 'chatcmpl-1', choices: [{ index: 0, delta: { tool_calls: [call] } }] };
  }),
  turns: (chunk) =>
    listAt(chunk, 'choices', 0, 'delta', 'tool_calls').map((call) =>
      turn(at(call, 'index'), at(call, 'function', 'arguments')),
    ),
};

/** Several choices or calls in one chunk, at whatever position. */
const openaiMany: Shape = {
  chunk: (turns) => ({ choices: turns.map(({ text, piece }) => ({ index: text, delta: { content: piece } })) }),
  turns: openai.turns,
};

const anthropic: Shape = {
  chunk: one(({ text, piece }) => ({
    type: 'content_block_delta',
    index: text,
    delta: { type: 'input_json_delta', partial_json: piece },
  })),
  turns: (chunk) => [turn(at(chunk, 'index'), at(chunk, 'delta', 'partial_json'))],
};

const responses: Shape = {
  chunk: one(({ text, piece }, position) => ({
    type: 'response.output_text.delta',
    item_id: `msg_${text}`,
    output_index: text,
    content_index: 0,
    sequence_number: position,
    delta: piece,
  })),
  turns: (chunk) => [turn(at(chunk, 'output_index'), at(chunk, 'delta'))],
};

/** Some servers give each event an item id of its own. */
const proxied: Shape = {
  chunk: one((turn, position) => ({
    ...(responses.chunk([turn], position) as { readonly [key: string]: Json }),
    item_id: `obscured${position}`,
  })),
  turns: responses.turns,
};

const aiSdk: Shape = {
  chunk: one(({ text, piece }) => ({ type: 'text-delta', id: `t${text}`, text: piece })),
  turns: (chunk) => [turn(at(chunk, 'id'), at(chunk, 'text'))],
};

const aiSdkParts: Shape = {
  chunk: (turns) => turns.map(({ text, piece }) => ({ type: 'tool-input-delta', id: `t${text}`, delta: piece })),
  turns: (chunk) => listAt(chunk).map((part) => turn(at(part, 'id'), at(part, 'delta'))),
};

const byAgent: Shape = {
  chunk: one(({ text, piece }) => ({ agent: `agent ${text}`, said: { content: piece } })),
  turns: (chunk) => [turn(at(chunk, 'agent'), at(chunk, 'said', 'content'))],
};

/** Shapes of parsed streams, by name. */
export const shapes: Readonly<Record<string, Shape>> = {
  'OpenAI, several choices': openai,
  'OpenAI, parallel tool calls': openaiTools,
  'OpenAI, several choices in a chunk': openaiMany,
  'Anthropic, content blocks': anthropic,
  'OpenAI Responses': responses,
  'OpenAI Responses, with ids that change': proxied,
  'AI SDK': aiSdk,
  'AI SDK, several parts in a chunk': aiSdkParts,
  'messages of several agents': byAgent,
};

/** How parsed chunks lie in a stream of text. */
export interface Framing {
  readonly write: (chunks: readonly Json[]) => string;
  readonly read: (text: string) => readonly Json[];
}

const parsed = (lines: readonly string[]): readonly Json[] => lines.map((line) => JSON.parse(line) as Json);

export const framings: Readonly<Record<string, Framing>> = {
  'server-sent events': {
    write: (chunks) =>
      `${chunks.map((chunk) => `event: x\ndata: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
    read: (text) => parsed([...text.matchAll(/^data: (\{.*|\[\{.*)$/gm)].map(([, json]) => json as string)),
  },
  'server-sent events with other line ends': {
    write: (chunks) => chunks.map((chunk) => `id: 1\r\ndata:${JSON.stringify(chunk)}\r\n\r\n`).join(''),
    read: (text) => parsed([...text.matchAll(/^data:(.*?)\r$/gm)].map(([, json]) => json as string)),
  },
  'lines of JSON': {
    write: (chunks) => chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join(''),
    read: (text) => parsed(text.split('\n').filter((line) => line !== '')),
  },
};

export const bytesOf = (text: string, kind = 'Buffer'): Json => ({
  $stepfork: 'bytes',
  kind,
  base64: Buffer.from(text).toString('base64'),
});

export const textOf = (chunk: Json): string =>
  typeof chunk === 'string' ? chunk : Buffer.from(at(chunk, 'base64') as string, 'base64').toString();

/** The texts that chunks make, by their numbers. */
export function textsOf(shape: Shape, chunks: readonly Json[]): readonly string[] {
  const texts: string[] = [];
  for (const { text, piece } of chunks.flatMap(shape.turns)) texts[text] = (texts[text] ?? '') + piece;
  return texts;
}
