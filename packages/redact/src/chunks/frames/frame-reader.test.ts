import { describe, expect, it } from 'vitest';
import { FrameReader } from './frame-reader.js';

const found = (...pieces: readonly string[]): readonly string[] => {
  const reader = new FrameReader(() => false);
  return pieces.flatMap((piece) => reader.add(piece)).map(({ prefix, json, from }) => `${from} ${prefix}${json}`);
};

describe('documents in a text that comes in pieces', () => {
  it('are the data of server-sent events, wherever they are cut', () => {
    const text = 'event: a\ndata: {"a":1}\n\n: ping\ndata:{"b":2}\r\n\r\ndata: [DONE]\n\n';
    for (let cut = 0; cut <= text.length; cut++) {
      expect(found(text.slice(0, cut), text.slice(cut))).toEqual(['15 data:{"a":1}', '36 data:{"b":2}']);
    }
    expect(found(...text)).toEqual(['15 data:{"a":1}', '36 data:{"b":2}']);
  });

  it('are lines of JSON, and of the data streams of the AI SDK', () => {
    expect(found('{"a":', '1}\n[2]\n', '\n0:"te', 'xt"\n')).toEqual(['0 {"a":1}', '8 [2]', '15 0:"text"']);
  });

  it('are whole pieces', () => {
    expect(found('{"a":1}', '{"b":', '{}}', 'data: {"c":3}')).toEqual(['0 {"a":1}', '7 {"b":{}}', '21 data:{"c":3}']);
  });

  it('are not what looks like them', () => {
    expect(found('{a}\n', '[link](x)\n', 'd: {"a":1} b\n', 'say {"a":1}\n', '"a"\n', 'data')).toEqual([]);
  });

  it('are known to be incomplete', () => {
    const reader = new FrameReader((text) => text.endsWith('sk-'));
    reader.add('x\n{"a":"b"');
    expect(reader.openFrom).toBe(Number.POSITIVE_INFINITY);
    reader.add(',"c":"sk-"');
    expect(reader.openFrom).toBe(2);
    reader.add('}\n{"a":');
    expect(reader.openFrom).toBe(22);
    reader.add('"b"}\ndata: {');
    expect(reader.openFrom).toBe(32);
  });

  it('are known to be lines when they end with a piece', () => {
    const reader = new FrameReader(() => false);
    for (const piece of ['{"a":1}', '\n{"b"']) reader.add(piece);
    expect(reader.openFrom).toBe(8);
  });

  it('may end with the text', () => {
    const reader = new FrameReader(() => false);
    reader.add(`{"a":"${'x'.repeat(100)}"`);
    expect(reader.add('}')).toEqual([]);
    expect(reader.finish()?.json).toHaveLength(108);
  });

  it('are not looked for without end', () => {
    const reader = new FrameReader(() => false);
    for (let i = 0; i < 1_000; i++) reader.add('{x}\n');
    expect(reader.add('{"a":1}\n')).toEqual([]);
  });
});
