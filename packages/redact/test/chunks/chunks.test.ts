import type { Json } from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/index.js';
import { assembled, chunked, piecesOf } from './streams.js';

const SK = `sk-${'a'.repeat(24)}`;
const PROSE =
  'The agent looked at the order, found that it was paid twice, and asked the customer: "Which card was it?" She said ' +
  'that she had used the blue one on May 3, 2024, for $41.50. So a refund = the whole sum; it takes 5-7 days. ' +
  'Her password is none of our business, nor is her token of thanks. See https://shop.example/orders?page=2 for more. ';

describe('a chunk without a secret', () => {
  it('is answered at once, as the same object', () => {
    const stream = createRedactor().openChunks();
    const chunk = { choices: [{ index: 0, delta: { content: 'a refund' } }] };
    const [given, ...more] = stream.add(chunk);
    expect(more).toEqual([]);
    expect(given).toEqual({ index: 0, value: chunk, findings: [] });
    expect(given?.value).toBe(chunk);
    expect(stream.end()).toEqual([]);
  });

  it('is hardly ever held back in ordinary prose', () => {
    const redactor = createRedactor();
    redactor.redact({ token: 'hunter2hunter2' });
    const stream = redactor.openChunks();
    const pieces = (PROSE.repeat(20).match(/\s?\w{1,6}|\W{1,2}/g) ?? []) as readonly string[];
    const held = pieces.filter((text) => stream.add({ id: 'chatcmpl-9aBcDefGhIjKlMnOpQrStUvW', text }).length === 0);
    expect(held.length / pieces.length).toBeLessThan(0.02);
  });
});

describe('a number in JSON that comes in pieces', () => {
  it.each(['{"pin": 12345678, "b":1}', '{"pin":[9912345678,1]}', '{"a":"{\\"pin\\":12345678}"}'])(
    'goes as a whole once it holds what was learned: %s',
    (json) => {
      const learned = () => {
        const redactor = createRedactor();
        redactor.redact({ token: '12345678' });
        return redactor;
      };
      const whole = learned().redact(json).value as string;
      expect(() => JSON.parse(whole)).not.toThrow();
      for (const size of [1, 2, 3, 5, 8]) expect(assembled(chunked(learned(), piecesOf(json, size)))).toBe(whole);
    },
  );
});

describe('a secret in the chunks of a stream', () => {
  it('is replaced in the first chunk of it and cut out of the others', () => {
    const stream = createRedactor().openChunks();
    const add = (text: string): Json => stream.add({ text }).map(({ value, findings }) => [value, findings]) as never;
    expect(add('use ')).toEqual([[{ text: 'use ' }, []]]);
    expect(add('it: sk-')).toEqual([]);
    expect(add('aaaaaa')).toEqual([]);
    expect(add('aaaa')).toEqual([]);
    const finding = [{ path: '/text', reason: 'credential_pattern' }];
    expect(add(' now')).toEqual([
      [{ text: 'it: [REDACTED]' }, finding],
      [{ text: '' }, finding],
      [{ text: '' }, finding],
      [{ text: ' now' }, []],
    ]);
  });

  it('is replaced from where it can be known', () => {
    const pieces = ['the s', 'k', '-', 'aaaa', 'aaaa', ' key'];
    expect(chunked(createRedactor(), pieces).map(({ value }) => value)).toEqual([
      'the s',
      'k',
      '[REDACTED]',
      '',
      '',
      ' key',
    ]);
  });

  it('holds back the chunks behind it, and the order stays', () => {
    const stream = createRedactor().openChunks();
    expect(stream.add({ a: 'sk-aaaa' })).toEqual([]);
    expect(stream.add({ b: 'at once' })).toEqual([]);
    expect(stream.end().map(({ index, value }) => [index, value])).toEqual([
      [0, { a: 'sk-aaaa' }],
      [1, { b: 'at once' }],
    ]);
  });

  it('is found under a key in arguments that come piece by piece', () => {
    const json = JSON.stringify({ user: 'ada', password: 'open "sesame"', pin: { token: ['x1', 'y2'] }, ok: true });
    for (const size of [1, 2, 3, 7]) {
      const chunks = piecesOf(json, size).map((text) => ({ tool_calls: [{ function: { arguments: text } }] }));
      const texts = chunked(createRedactor(), chunks).map(
        ({ value }) => (value as typeof chunks)[0 as never] as never as string,
      );
      expect(texts).toHaveLength(chunks.length);
      const all = chunked(createRedactor(), piecesOf(json, size));
      expect(JSON.parse(assembled(all))).toEqual({
        user: 'ada',
        password: '[REDACTED]',
        pin: { token: ['[REDACTED]', '[REDACTED]'] },
        ok: true,
      });
    }
  });

  it('is found in bytes', () => {
    const bytes = (text: string): Json => ({
      $stepfork: 'bytes',
      kind: 'Uint8Array',
      base64: Buffer.from(text).toString('base64'),
    });
    const given = chunked(createRedactor(), piecesOf(`data: é ${SK}\n\n`, 6).map(bytes));
    const text = given.map(({ value }) => Buffer.from((value as { base64: string }).base64, 'base64')).join('');
    expect(text).toBe('data: é [REDACTED]\n\n');
  });

  it('is remembered for what comes later, and known from what came before', () => {
    const redactor = createRedactor();
    redactor.redact({ cookie: 'c00kie-value-1' });
    const given = chunked(redactor, piecesOf('{"token":"tango-7-whisky","was":"c00kie-value-1"}', 5));
    expect(assembled(given)).toBe('{"token":"[REDACTED]","was":"[REDACTED]"}');
    expect(redactor.redact('x-key tango-7-whisky').value).toBe('x-key [REDACTED]');
    expect(given.flatMap(({ findings }) => findings.map(({ reason }) => reason))).toContain('recurring_secret');
  });

  it('is not remembered in part', () => {
    const redactor = createRedactor();
    const stream = redactor.openChunks();
    stream.add('{"token":"tango-7-');
    expect(redactor.redact('tango-7-foxtrot').findings).toEqual([]);
    stream.end();
    expect(redactor.redact('tango-7-foxtrot').findings).toEqual([{ path: '', reason: 'recurring_secret' }]);
  });

  it('goes by key, pointer and function as in any payload', () => {
    const redactor = createRedactor({ pointers: ['/a'], functions: [(value) => value === 7] });
    const [given] = chunked(redactor, [{ a: 'x', token: 'y', n: 7 }]);
    expect(given?.value).toEqual({ a: '[REDACTED]', token: '[REDACTED]', n: '[REDACTED]' });
    expect(given?.findings.map(({ path }) => path)).toEqual(['/a', '/n', '/token']);
  });

  it('is looked for under ruleset 0.1 as well', () => {
    const given = chunked(createRedactor({ ruleset: '0.1' }), ['Bearer ', 'aaaa', 'aaaa', '.']);
    expect(given.map(({ value }) => value)).toEqual(['Bearer ', '[REDACTED]', '', '']);
  });
});

describe('what never ends', () => {
  const key = (size: number): string => `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(size / 4)}`;

  it('is given out after a while, replaced as far as it is matched', () => {
    const stream = createRedactor().openChunks();
    const given = piecesOf(key(200_000), 100).flatMap((text) => stream.add({ text }));
    expect(given.length).toBeGreaterThan(1_000);
    const all = [
      ...given,
      ...stream.end(),
      ...stream.add({ text: '\n-----END PRIVATE KEY-----\nafter' }),
      ...stream.end(),
    ];
    const out = all.map(({ value }) => (value as { text: string }).text).join('');
    expect(out.startsWith('[REDACTED]')).toBe(true);
    expect(out).not.toContain('QUJD');
    expect(out).toContain('after');
  });

  it('holds the texts at other places back for a while only', () => {
    const stream = createRedactor().openChunks();
    stream.add({ a: '"password":"x' });
    let given = 0;
    for (let i = 0; i < 20_000; i++) given += stream.add({ b: 'text ' }).length;
    expect(given).toBeGreaterThan(10_000);
    expect(JSON.stringify(stream.end())).not.toContain('"x');
  });
});

describe('many chunks', () => {
  const count = process.env.STEPFORK_FULL === '1' ? 12_500 : 200;

  function cost(chunks: number, make: (position: number) => Json): number {
    const stream = createRedactor().openChunks();
    const before = process.cpuUsage();
    let given = 0;
    for (let i = 0; i < chunks; i++) given += stream.add(make(i)).length;
    expect(given + stream.end().length).toBe(chunks);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }

  function expectLinear(make: (position: number) => Json): void {
    const small = Math.max(cost(count, make), 10_000);
    // Quadratic work would make it 64.
    expect(cost(count * 8, make) / small).toBeLessThan(32);
  }

  it.each(['plain text. ', 'a: "b" = ', SK, '{"password":"', `{"token":"${'x'.repeat(30)}"} `, '\\"', 'é'])(
    'take no more than so much time each: %s',
    (text) => expectLinear(() => ({ text })),
  );

  const shapes: Readonly<Record<string, (position: number) => Json>> = {
    'an id each': (i) => ({ id: `evt_${i}`, text: 'text ' }),
    'an id each, and the beginning of a secret': (i) => ({ id: `evt_${i}`, index: i, text: 'sk-aaa' }),
    'an id each, and a secret': (i) => ({ id: `evt_${i}`, index: i, text: `${SK} ` }),
    'a turn each': (i) => ({ index: i % 7, text: '{"password":"' }),
    'several parts': (i) => [{ text: 'sk-' }, { text: SK }, { id: `${i % 3}`, text: 'Bearer ' }],
    'an event': () => `data: ${JSON.stringify({ index: 0, delta: SK, list: ['x', 'sk-'] })}\n\n`,
    'an event that waits for its end': (i) => (i === 0 ? 'data: {"text":"sk-"}\n' : 'data: {"text":"a"}\n'),
    'a part of an event that has no end': (i) => (i === 0 ? 'data: {"a":"' : 'x\\"}'),
    'a part of JSON that has no end': () => '{"a":"b',
    'what looks like JSON': () => '{x}\n[y]\n',
  };

  it.each(Object.entries(shapes))('take no more than so much time each: %s', (_what, make) => expectLinear(make));
});

describe('one chunk with many secrets', () => {
  it.each([
    ['items', (size: number): Json => Array.from({ length: size }, () => `${SK} `)],
    ['lines of JSON', (size: number): Json => `${JSON.stringify({ text: SK })}\n`.repeat(size)],
  ])('takes no more than so much time for each of its %s', (_what, make) => {
    const cost = (size: number): number => {
      const stream = createRedactor().openChunks();
      const before = process.cpuUsage();
      stream.add(make(size));
      stream.end();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    expect(cost(16_000) / Math.max(cost(2_000), 10_000)).toBeLessThan(32);
  });
});
