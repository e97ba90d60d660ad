import type { Json } from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { createRedactor, type RedactOptions } from '../../src/index.js';
import { bytesOf, textOf } from './shapes.js';
import { chunked } from './streams.js';

const NPM = `npm_${'a'.repeat(36)}`;
const [A, B, C] = [NPM.slice(0, 6), NPM.slice(6, 30), NPM.slice(30)] as [string, string, string];

const values = (chunks: readonly Json[], options?: RedactOptions): readonly Json[] =>
  chunked(createRedactor(options), chunks).map(({ value }) => value);

describe('two texts that take turns', () => {
  const choice = (index: number, content: string): Json => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index, delta: { content } }],
  });

  it('are told apart by the index of a choice', () => {
    const chunks = [choice(0, `so: ${A}`), choice(1, 'I '), choice(0, B), choice(1, 'see'), choice(0, `${C} yes`)];
    expect(values([choice(1, '. '), ...chunks])).toEqual([
      choice(1, '. '),
      choice(0, 'so: [REDACTED]'),
      choice(1, 'I '),
      choice(0, ''),
      choice(1, 'see'),
      choice(0, ' yes'),
    ]);
  });

  it('may each hold a secret', () => {
    const chunks = [choice(0, A), choice(1, A), choice(0, B), choice(1, B), choice(1, C), choice(0, C)];
    expect(values(chunks)).toEqual([
      choice(0, '[REDACTED]'),
      choice(1, '[REDACTED]'),
      choice(0, ''),
      choice(1, ''),
      choice(1, ''),
      choice(0, ''),
    ]);
  });

  it('are told apart by the index of a tool call, of which only the first chunk has the id', () => {
    const call = (index: number, text: string, id?: string): Json => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index, ...(id && { id }), function: { arguments: text } }] } }],
    });
    const chunks = [
      call(0, '{"pass', 'call_a'),
      call(1, '{"city": "', 'call_b'),
      call(0, 'word":"hun'),
      call(1, 'Paris", '),
      call(0, 'ter2"}'),
      call(1, '"days": 3}'),
    ];
    expect(values(chunks)).toEqual([
      ...chunks.slice(0, 2),
      call(0, 'word":"[REDACTED]'),
      chunks[3],
      call(0, '"}'),
      chunks[5],
    ]);
  });

  it('are told apart by the index of a content block', () => {
    const block = (index: number, delta: { readonly [key: string]: Json }): Json => ({
      type: 'content_block_delta',
      index,
      delta,
    });
    const json = (index: number, partial_json: string): Json =>
      block(index, { type: 'input_json_delta', partial_json });
    expect(values([json(1, `{"a":"${A}`), json(2, '{"b":'), json(1, B), json(2, '1}'), json(1, `${C}"}`)])).toEqual([
      json(1, '{"a":"[REDACTED]'),
      json(2, '{"b":'),
      json(1, ''),
      json(2, '1}'),
      json(1, '"}'),
    ]);
  });

  it('are told apart by the item and the part of a response', () => {
    const delta = (item: number, content_index: number, text: string): Json => ({
      type: 'response.output_text.delta',
      item_id: `msg_${item}`,
      output_index: item,
      content_index,
      delta: text,
    });
    expect(values([delta(0, 0, A), delta(0, 1, '- '), delta(1, 0, '+ '), delta(0, 0, B), delta(0, 0, C)])).toEqual([
      delta(0, 0, '[REDACTED]'),
      delta(0, 1, '- '),
      delta(1, 0, '+ '),
      delta(0, 0, ''),
      delta(0, 0, ''),
    ]);
  });

  it('are told apart by the id of a part', () => {
    const part = (id: string, delta: string): Json => ({ type: 'tool-input-delta', id, delta });
    expect(values([part('a', A), part('b', '"x"'), part('a', B), part('b', '!'), part('a', C)])).toEqual([
      part('a', '[REDACTED]'),
      part('b', '"x"'),
      part('a', ''),
      part('b', '!'),
      part('a', ''),
    ]);
  });

  it('teach no more than one of them says', () => {
    const redactor = createRedactor();
    const key = 'sk-Zq7Xw9Kv3Jp5Yg8Rt2';
    chunked(redactor, [choice(0, key.slice(0, 12)), choice(1, '. No'), choice(0, key.slice(12)), choice(1, '.')]);
    expect(redactor.redact(`is ${key}?`).findings).toEqual([{ path: '', reason: 'recurring_secret' }]);
    expect(redactor.redact(key.slice(3, 14)).findings).toEqual([]);
  });
});

describe('one text', () => {
  it('may have an id of its own in each chunk', () => {
    const chunk = (id: number, text: string): Json => ({ id: `evt_${id}`, text });
    const redactor = createRedactor();
    const given = chunked(redactor, [chunk(1, `a ${A}`), chunk(2, B), chunk(3, C), chunk(4, ' b')]);
    expect(given.map(({ value }) => value)).toEqual([
      chunk(1, 'a [REDACTED]'),
      chunk(2, ''),
      chunk(3, ''),
      chunk(4, ' b'),
    ]);
    expect(redactor.redact(Buffer.from(NPM).toString('base64')).value).toBe('[REDACTED]');
  });

  it('may come in several parts of a chunk, at any position', () => {
    const part = (text: string): Json => ({ type: 'text', text });
    expect(values([[part('so: '), part(A)], [part(B)], [part(C), part(' yes')]])).toEqual([
      [part('so: '), part('[REDACTED]')],
      [part('')],
      [part(''), part(' yes')],
    ]);
  });

  it('may come as text and as binary data', () => {
    const given = values([`so: ${A}`, bytesOf(B), bytesOf(C.slice(0, 2), 'Uint8Array'), `${C.slice(2)} yes`]);
    expect(given.map(textOf)).toEqual(['so: [REDACTED]', '', '', ' yes']);
  });
});

describe('texts in raw chunks', () => {
  const event = (index: number, text: string): string =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index, delta: { text } })}\n\n`;

  it('are put together from event to event, and replaced where they stand', () => {
    expect(values([event(0, `"so": ${A}`) + event(1, 'I '), event(0, B), event(0, `${C}\n"yes"`)])).toEqual([
      event(0, '"so": [REDACTED]') + event(1, 'I '),
      event(0, ''),
      event(0, '\n"yes"'),
    ]);
  });

  it('are put together from half a line of JSON to the next', () => {
    const lines = [A, B, C, ' yes'].map((text) => `${JSON.stringify({ message: { role: 'x', content: text } })}\n`);
    const raw = lines.join('');
    const given = values([raw.slice(0, 44), raw.slice(44, 99), raw.slice(99)]);
    const texts = given.join('').trim().split('\n');
    expect(texts.map((line) => JSON.parse(line).message.content)).toEqual(['[REDACTED]', '', '', ' yes']);
  });

  it('are put together from message to message', () => {
    const message = (delta: string): string => JSON.stringify({ type: 'response.text.delta', item_id: 'i', delta });
    expect(values([message(A), message(B), message(C)])).toEqual([message('[REDACTED]'), message(''), message('')]);
  });

  it('are put together in the data stream of the AI SDK', () => {
    expect(values([`0:"so ${A}"\n9:{"toolCallId":"x"}\n`, `0:"${B}"\n0:"${C}"\n`])).toEqual([
      '0:"so [REDACTED]"\n9:{"toolCallId":"x"}\n',
      '0:""\n0:""\n',
    ]);
  });

  it('are replaced to their end when an event ends within the secret', () => {
    const [first, second] = ['Cookie: theme=dark; sid=abcdefgh', '1234ijkl; other=1'];
    expect(values([event(0, first), event(0, `${second}\nmore`)])).toEqual([
      event(0, 'Cookie: [REDACTED]'),
      event(0, '\nmore'),
    ]);
  });

  it('keep their escapes', () => {
    const [first, second] = [`\\u0022\\n\\"${A.slice(0, 5)}`, `\\u0061\\u0061${NPM.slice(7)}\\t\\ud83d\\ude00`];
    expect(values([`data: {"t":"${first}"}\n\n`, `data: {"t":"${second}"}\n\n`])).toEqual([
      'data: {"t":"\\u0022\\n\\"[REDACTED]"}\n\n',
      'data: {"t":"\\t\\ud83d\\ude00"}\n\n',
    ]);
  });

  it('are given out as they are when the last event is cut off', () => {
    const chunks = [event(0, 'so'), 'event: content_block_delta\ndata: {"type":"content_bl'];
    expect(values(chunks)).toEqual(chunks);
  });

  it('hold back the rest of an event only until it is there', () => {
    const stream = createRedactor().openChunks();
    const raw = event(0, 'so it is');
    expect(stream.add(raw.slice(0, 40))).toEqual([]);
    expect(stream.add(raw.slice(40)).map(({ index }) => index)).toEqual([0, 1]);
  });

  it('do not hold back an answer in JSON', () => {
    const stream = createRedactor().openChunks();
    const pieces = ['{"answer', '": "it is', ' so", "n"', ': [1, 2, ', '"three"]}'];
    expect(pieces.flatMap((piece) => stream.add(piece))).toHaveLength(pieces.length);
  });
});

describe("the end of a secret in a generator's return value", () => {
  const stream = (chunks: readonly Json[], returned: Json): Json => ({
    $stepfork: 'stream',
    chunks,
    end: 'complete',
    kind: 'generator',
    returned,
  });

  it('is found together with its beginning in the last chunk', () => {
    const { value, findings } = createRedactor().redact(stream(['so: ', A + B], C));
    expect(value).toEqual(stream(['so: ', '[REDACTED]'], ''));
    expect(findings.map(({ path }) => path)).toEqual(['/chunks/1', '/returned']);
  });

  it('changes nothing where there is none', () => {
    const whole = stream(['so', ' it'], { answer: 'is', usage: 3 });
    expect(createRedactor().redact(whole).value).toBe(whole);
  });
});
