import type { Json } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { streamText } from './stream-text.js';

describe('streamText', () => {
  it.each<[what: string, chunks: Json[]]>([
    ['texts', ['a', 'b']],
    ['OpenAI chat completions', ['a', 'b'].map((content) => ({ choices: [{ delta: { content } }] }))],
    [
      'server-sent events, wherever they were cut',
      [
        'data: {"choices":[{"delta":{"con',
        'tent":"a"}}]}\n\ndata: {"choices":[{"delta":{"content":"b"}}]}\n',
        '\ndata: [DONE]\n\n',
      ],
    ],
    ['OpenAI Responses', ['a', 'b'].map((delta) => ({ type: 'response.output_text.delta', delta }))],
    [
      'Anthropic messages',
      [
        { type: 'message_start', message: { content: [] } },
        ...['a', 'b'].map((text) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } })),
        { type: 'message_stop' },
      ],
    ],
    ['the AI SDK', ['a', 'b'].map((text) => ({ type: 'text-delta', text }))],
    ['Google', ['a', 'b'].map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] }))],
    ['Ollama', ['a', 'b'].map((content) => ({ message: { content }, done: false }))],
  ])('puts together %s', (_, chunks) => {
    expect(streamText(chunks)).toBe('ab');
  });

  it('leaves texts alone that only look like events', () => {
    expect(streamText(['data: ', 'none of it'])).toBe('data: none of it');
  });

  it.each<[what: string, chunks: Json[]]>([
    ['nothing', []],
    ['numbers', [1, null]],
    ['objects of another shape', [{ type: 'ping' }, { choices: 'none' }, { candidates: [{ content: null }] }]],
  ])('makes no text of %s', (_, chunks) => {
    expect(streamText(chunks)).toBeNull();
  });
});
