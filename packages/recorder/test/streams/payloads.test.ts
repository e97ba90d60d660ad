import { Readable } from 'node:stream';
import { traceTool } from '@stepfork/recorder';
import { findUnservable } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { outline, ownDirectory } from '../support/bundles.js';
import { streamOutcome, streamRecords } from '../support/stream-records.js';
import { drain, outputOf, recordedIn } from '../support/stream-runs.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const recorded = recordedIn(directory);

class Token {
  constructor(readonly text: string) {}
}

async function* tokens(): AsyncGenerator<Token> {
  yield new Token('a');
}

describe('the chunks of a stream', () => {
  it('are recorded as they were given, whatever becomes of them', async () => {
    const tool = traceTool('mutable', async function* () {
      yield { text: 'a' };
    });
    const trace = await recorded(async () => {
      for await (const chunk of tool()) chunk.text = 'changed';
    });
    expect(streamOutcome(trace, 2).chunks).toEqual([{ text: 'a' }]);
  });

  it('are placeholders where they are no data, with one warning that names the way out', async () => {
    const tool = traceTool('tokens', function* () {
      yield 'plain';
      yield { part: new Token('a') };
      yield { part: new Token('b') };
    });
    const trace = await recorded(async () => {
      await drain(tool());
    });
    const result = trace.events[2];
    expect(findUnservable(outputOf(trace, 2))).toContain('chunks[1].part');
    expect(trace.runtime.filter(({ type }) => type === 'placeholder')).toEqual([
      { type: 'placeholder', event_id: result?.id, path: '/output/chunks/1/part', reason: 'class Token' },
      { type: 'placeholder', event_id: result?.id, path: '/output/chunks/2/part', reason: 'class Token' },
    ]);
    expect(await warnings('unserializable')).toEqual([
      "tool 'tokens': /output/chunks/1/part (class Token) cannot be recorded, so a placeholder was; " +
        'give it a chunkCodec, or a replay cannot answer with it',
    ]);
  });

  it('B170 are data with a chunkCodec', async () => {
    const tool = traceTool(
      {
        name: 'coded tokens',
        chunkCodec: { encode: ({ text }) => text, decode: (data) => new Token(String(data)) },
      },
      tokens,
    );
    const trace = await recorded(() => drain(tool()));
    expect(streamOutcome(trace, 2).chunks).toEqual(['a']);
    expect(await warnings('unserializable')).toEqual([]);
  });

  it('are placeholders where the chunkCodec throws, and the consumer is given them', async () => {
    const tool = traceTool(
      {
        name: 'badly coded tokens',
        chunkCodec: {
          encode: (): never => {
            throw new Error('cannot');
          },
          decode: () => new Token(''),
        },
      },
      tokens,
    );
    const trace = await recorded(async () => {
      expect(await drain(tool())).toEqual([new Token('a')]);
    });
    expect(findUnservable(outputOf(trace, 2))).toContain('chunks[0]');
  });

  it('are not looked at where a codec takes the whole stream', async () => {
    const tool = traceTool({ name: 'whole', codec: { encode: () => 'a stream', decode: () => [].values() } }, () =>
      [1].values(),
    );
    const trace = await recorded(() => drain(tool()));
    expect(outputOf(trace, 2)).toBe('a stream');
    expect(trace.runtime.some(({ type }) => type === 'stream')).toBe(false);
  });

  it('may be as deep as any value', async () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 99; level++) deep = [deep];
    const tool = traceTool('deep', function* () {
      yield deep;
    });
    const trace = await recorded(() => drain(tool()));
    expect(streamOutcome(trace, 2).chunks).toEqual([deep]);
  });

  it('B179 hide a secret that is spread over them, and say where it was', async () => {
    const secret = `sk-proj-${'a1B2'.repeat(10)}`;
    const text = `The key is ${secret} and that is all.`;
    const pieces = text.match(/.{1,7}/g) ?? [];
    const tool = traceTool('leaky', async function* () {
      for (const piece of pieces) yield { delta: piece };
    });
    const trace = await recorded(async () => {
      expect((await drain(tool())).map((chunk) => (chunk as { delta: string }).delta).join('')).toBe(text);
    });
    const told = JSON.stringify(trace);
    for (let at = 0; at + 12 < secret.length; at += 4) expect(told).not.toContain(secret.slice(at, at + 12));
    const { chunks } = streamRecords(trace);
    expect(streamOutcome(trace, 2).chunks).toEqual(chunks);
    expect(chunks).toHaveLength(pieces.length);
    const whole = chunks.map((chunk) => (chunk as { delta: string }).delta).join('');
    expect(whole).toBe('The key is [REDACTED] and that is all.');
    expect(trace.events[2]?.redactions).toContainEqual(expect.stringMatching(/^\/output\/chunks\/\d\/delta$/));
  });

  it('are written though the redactor held them back, where the run ends before the stream', async () => {
    const tool = traceTool('held back', async function* () {
      yield 'the key is sk-pro';
      yield 'never asked for';
    });
    const trace = await recorded(() => tool().next());
    expect(streamRecords(trace).chunks).toHaveLength(1);
  });

  it('lie in the log where they were given, whenever they are written', async () => {
    const leaf = traceTool('leaf', () => 1);
    const tool = traceTool('held back', async function* () {
      yield 'the key is sk-pro';
      yield 'j-';
      yield ' or not';
    });
    const trace = await recorded(async () => {
      for await (const _chunk of tool()) leaf();
    });
    const { records, opening } = streamRecords(trace);
    expect([opening?.step, ...records.map(({ step }) => step)]).toEqual([2, 2, 4, 6]);
    expect([opening?.order, ...records.map(({ order }) => order)]).toEqual([0, 1, 2, 3]);
  });

  it('hide the secrets in what is sent for them', async () => {
    const tool = traceTool('asks', function* (): Generator<number, void, unknown> {
      yield 1;
      yield 2;
    });
    const trace = await recorded(() => {
      const talk = tool();
      talk.next();
      talk.next({ password: 'hunter2hunter2' });
    });
    expect(streamRecords(trace).records[1]?.sent).toEqual({ password: '[REDACTED]' });
  });

  it('are recorded without what is read while they are captured getting lost', async () => {
    const tool = traceTool('self-reading', function* (): Generator<object> {
      yield new Proxy({ next: null }, { get: () => [...self] });
      yield { plain: 2 };
    });
    let self: Generator<object> = tool();
    const trace = await recorded(() => {
      self = tool();
      expect([...self]).toHaveLength(1);
    });
    expect(outline(trace).slice(1)).toEqual([
      '1 tool_call self-reading < 0',
      '2 tool_result self-reading < 1',
      '3 run_end',
    ]);
  });
});

describe('the opening of a stream', () => {
  it('keeps the data of an async iterable beside its iterator', async () => {
    const tool = traceTool('completion', () => ({
      id: 'c-1',
      apiKey: 'sk-live-secret',
      nested: { at: new Date(0) },
      controller: new AbortController(),
      abort: () => {},
      async *[Symbol.asyncIterator]() {
        yield 1;
      },
    }));
    const trace = await recorded(async () => {
      const stream = tool();
      expect(await drain(stream)).toEqual([1]);
      expect(stream.abort()).toBeUndefined();
    });
    expect(streamRecords(trace).opening).toMatchObject({
      kind: 'async-iterable',
      members: { id: 'c-1', apiKey: '[REDACTED]', nested: { at: { $stepfork: 'date' } } },
    });
    const members = streamRecords(trace).opening?.members as Record<string, unknown>;
    expect(Object.keys(members).sort()).toEqual(['abort', 'apiKey', 'controller', 'id', 'nested']);
    // What is no data has a placeholder, so that a replay can say what it does not have.
    expect(members.abort).toMatchObject({ $stepfork: 'function' });
    expect(members.controller).toMatchObject({ $stepfork: 'instance', class: 'AbortController' });
  });

  it('tells a Node stream of values from one of bytes and texts', async () => {
    const values = traceTool('values', () => Readable.from([{ a: 1 }]));
    const bytes = traceTool('bytes', () => new Readable({ read: () => {} }));
    const trace = await recorded(async () => {
      await drain(values());
      const stream = bytes();
      stream.setEncoding('utf8');
      stream.push('é');
      stream.push(null);
      expect(await drain(stream)).toEqual(['é']);
    });
    expect(streamRecords(trace, trace.events[1]?.id).opening?.object_mode).toBe(true);
    expect(streamRecords(trace, trace.events[3]?.id).opening?.object_mode).toBe(false);
    expect(streamOutcome(trace, 4).chunks).toEqual(['é']);
  });
});
