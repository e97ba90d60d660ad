import { describe, expect, test } from 'vitest';
import { assemble } from './assemble.js';
import { eventsOf } from './events.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** In pieces of three bytes, wherever they end. */
const inPieces = (text: string): Uint8Array[] => {
  const whole = bytes(text);
  return Array.from({ length: Math.ceil(whole.length / 3) }, (_, index) => whole.slice(index * 3, index * 3 + 3));
};
/** As AWS frames what it streams; checksums are nobody's business here. */
const frame = (headers: string, payload: string): Uint8Array => {
  const length = 16 + headers.length + bytes(payload).length;
  const framed = new Uint8Array(length);
  const view = new DataView(framed.buffer);
  view.setUint32(0, length);
  view.setUint32(4, headers.length);
  framed.set(bytes(headers + payload), 12);
  return framed;
};
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the events of a body', () => {
  test('are the data of server-sent events, whatever ends their lines, and lines of JSON', () => {
    const text =
      ': hello\r\nevent: a\r\ndata: {"n":\r\ndata: "ü"}\r\n\r\nid: 7\rdata: no JSON\r\r{"n":3}\ndata:[4]\n\ndata: [DONE]';
    expect(eventsOf(inPieces(text))).toEqual([{ n: 'ü' }, { n: 3 }, [4]]);
  });

  test('are those that frames of AWS carry, plain or as base64, however they are cut', () => {
    const said = { type: 'message_stop', text: 'grüße' };
    const framed = Buffer.concat([
      frame('head', JSON.stringify({ bytes: Buffer.from(JSON.stringify(said)).toString('base64') })),
      frame('', JSON.stringify({ n: 1 })),
      frame('head', 'no JSON'),
      frame('', JSON.stringify({ n: 2 })),
    ]);
    const pieces = [framed.subarray(0, 5), framed.subarray(5, 60), framed.subarray(60)];
    expect(eventsOf(pieces)).toEqual([said, { n: 1 }, { n: 2 }]);
    expect(eventsOf([framed.subarray(0, -1)])).toEqual([said, { n: 1 }]);
    expect(eventsOf([Uint8Array.of(0, 0, 0)])).toEqual([]);
    expect(eventsOf([new Uint8Array(64)])).toEqual([]);
  });

  test('are none where there are none', () => {
    expect(eventsOf([])).toEqual([]);
    expect(eventsOf([Uint8Array.of(0xff, 0xfe), bytes('{"half":')])).toEqual([]);
  });
});

describe('the message of a stream', () => {
  test('is that of each choice of a chat, its texts and tool calls put together', () => {
    const chunk = (index: number, delta: unknown, finish_reason: string | null = null) => ({
      ...{ id: 'c', object: 'chat.completion.chunk', model: 'm' },
      choices: [{ index, delta, finish_reason }],
    });
    const call = (index: number, fn: object, more: object = {}) =>
      chunk(0, { tool_calls: [{ index, ...more, function: fn }] });
    const events = [
      chunk(0, { role: 'assistant', content: 'a' }),
      chunk(1, { role: 'assistant', content: 'x' }),
      chunk(0, { role: 'assistant', content: 'b' }),
      call(0, { name: 'f', arguments: '{"a"' }, { id: 'call_1' }),
      call(1, { name: 'g', arguments: '' }, { id: 'call_2' }),
      call(0, { arguments: ':1}' }),
      chunk(0, {}, 'tool_calls'),
      chunk(1, { content: 'y' }, 'stop'),
      { id: 'c', choices: [], usage: { total_tokens: 9 } },
    ];
    expect(plain(assemble(events))).toEqual({
      ...{ id: 'c', object: 'chat.completion', model: 'm', usage: { total_tokens: 9 } },
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'ab',
            tool_calls: [
              { index: 0, id: 'call_1', function: { name: 'f', arguments: '{"a":1}' } },
              { index: 1, id: 'call_2', function: { name: 'g', arguments: '' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
        { index: 1, message: { role: 'assistant', content: 'xy' }, finish_reason: 'stop' },
      ],
    });
  });

  test('is the last one that the Responses API gives', () => {
    const response = { id: 'resp_1', status: 'incomplete' };
    expect(assemble([{ type: 'response.created' }, { type: 'response.incomplete', response }])).toBe(response);
  });

  test("is Anthropic's, block by block", () => {
    const events = [
      {
        type: 'message_start',
        message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 4, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me ' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'look.' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '1}' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 12 } },
    ];
    expect(plain(assemble(events))).toEqual({
      ...{ id: 'm', role: 'assistant', stop_reason: 'tool_use', usage: { input_tokens: 4, output_tokens: 12 } },
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
      ],
    });
  });

  test('takes no name for a prototype', () => {
    const delta = JSON.parse('{"__proto__":{"polluted":1},"content":"a"}') as object;
    assemble([{ choices: [{ index: 0, delta }] }]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('is nothing where the events are of no known kind', () => {
    expect(assemble([{ parts: [] }, 7, null])).toBeUndefined();
    expect(assemble([])).toBeUndefined();
  });
});
