import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { llmRequest, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

let bodies = 0;

/** Gives the values one by one, and counts that it ran. */
async function* slowly<T>(...values: readonly T[]): AsyncGenerator<T, string, unknown> {
  bodies++;
  for (const value of values) {
    await sleep(2);
    yield value;
  }
  return 'that was all';
}

/** Records the agent, replays it, and expects that it saw the same without any body. */
async function replaysAlike(agent: () => Promise<unknown>): Promise<void> {
  const outputs: unknown[] = [];
  const run = async (): Promise<unknown> => {
    outputs.push(await agent());
    return outputs.at(-1);
  };
  const path = await recordRun(run);
  const before = bodies;
  const report = await replay(path, asAgent(run));
  expect(report).toMatchObject({ verdict: 'matched', divergence: null, notes: [] });
  expect(report.counts).toMatchObject({ recorded: report.counts.substituted, executed: 0 });
  expect(outputs[1]).toEqual(outputs[0]);
  expect(bodies).toBe(before);
}

async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

describe('a stream that is', () => {
  it('an async generator is one again: chunks, return value, kind', async () => {
    const words = traceTool('words', (_input: object) => slowly<unknown>('a', 'b', { c: [new Date(0)] }));
    await replaysAlike(async () => {
      const stream = words({});
      const results = [await stream.next(), await stream.next(), await stream.next(), await stream.next()];
      return [results, await stream.next(), String(stream), types.isGeneratorObject(stream), Object.keys(stream)];
    });
  });

  it('an async generator function is one again, with what is sent to it', async () => {
    const echo = traceTool('echo', async function* (_input: object): AsyncGenerator<unknown, void, unknown> {
      bodies++;
      const sent = yield 'ready';
      yield `got ${String(sent)}`;
    });
    await replaysAlike(async () => {
      const stream = echo({});
      return [await stream.next(), await stream.next('this'), await stream.next()];
    });
  });

  it('a generator is one again, with all that belongs to one', async () => {
    const count = traceTool('count', function* (input: { to: number }): Generator<number, string, unknown> {
      bodies++;
      for (let n = 1; n <= input.to; n++) yield n;
      return 'done';
    });
    await replaysAlike(async () => {
      const stream = count({ to: 3 });
      const first = stream.next();
      const rest = [...stream];
      const [one] = count({ to: 2 });
      return [
        first,
        rest,
        stream.next(),
        one,
        Object.prototype.toString.call(stream),
        count({ to: 9 }).return('early'),
      ];
    });
  });

  it('an async iterable has its data beside it', async () => {
    const ask = traceTool('ask', async (_input: object) => {
      bodies++;
      return { id: 'r1', at: new Date(5), [Symbol.asyncIterator]: () => slowly(1, 2) };
    });
    await replaysAlike(async () => {
      const stream = await ask({});
      return [stream.id, stream.at, Object.keys(stream).sort(), await all(stream)];
    });
  });

  it('a web stream is one again', async () => {
    const web = traceTool('web', async (_input: object) => ReadableStream.from(slowly('x', 'y')));
    await replaysAlike(async () => {
      const stream = await web({});
      const isWeb = stream instanceof ReadableStream;
      return [isWeb, await all(stream as unknown as AsyncIterable<unknown>)];
    });
  });

  it('a web stream of bytes fills its reader’s own memory', async () => {
    const bytes = traceTool('bytes', (_input: object) => {
      bodies++;
      let n = 0;
      return new ReadableStream({
        type: 'bytes',
        async pull(controller) {
          await sleep(2);
          if (n++ < 2) controller.enqueue(new Uint8Array([n, n, n]));
          else {
            controller.close();
            controller.byobRequest?.respond(0);
          }
        },
      });
    });
    await replaysAlike(async () => {
      const reader = bytes({}).getReader({ mode: 'byob' });
      const results: unknown[] = [];
      for (;;) {
        const { done, value } = await reader.read(new Uint8Array(8));
        results.push([done, [...(value ?? [])]]);
        if (done) return results;
      }
    });
  });

  it('a Node stream of values is one again: events, iteration, pipes', async () => {
    const rows = traceTool('rows', (_input: object) => Readable.from(slowly({ row: 1 }, { row: 2 })));
    await replaysAlike(async () => {
      const events: unknown[] = [];
      const stream = rows({ by: 'events' });
      for (const name of ['data', 'end', 'close'] as const) stream.on(name, (chunk) => events.push([name, chunk]));
      await new Promise((resolve) => stream.on('close', resolve));
      const piped: unknown[] = [];
      const transform = new Transform({
        objectMode: true,
        transform: (chunk, _encoding, done) => {
          piped.push(chunk);
          done();
        },
      });
      transform.resume();
      await pipeline(rows({ by: 'pipe' }), transform);
      return [events, await all(rows({ by: 'iteration' })), piped, stream.readableObjectMode];
    });
  });

  it.each(['utf8', 'hex', null] as const)('a Node stream of bytes, read as %s', async (encoding) => {
    const file = traceTool('file', (_input: object) => {
      bodies++;
      return new Readable({
        read() {
          setTimeout(() => this.push(bodies > 0 ? Buffer.from('grüße') : null), 2);
          setTimeout(() => this.push(null), 4);
        },
      });
    });
    await replaysAlike(async () => {
      const stream = file({});
      if (encoding !== null) stream.setEncoding(encoding);
      return all(stream);
    });
  });

  it('given by a promise, and one of a model', async () => {
    const ask = () =>
      llmRequest({
        provider: 'acme',
        model: 'small',
        input: { stream: true },
        call: async () => {
          await sleep(3);
          return slowly({ delta: 'Hel' }, { delta: 'lo' });
        },
      });
    await replaysAlike(async () => all(await ask()));
  });

  it('of chunks that its chunkCodec takes to data and back', async () => {
    class Money {
      constructor(readonly cents: number) {}
    }
    const chunkCodec = {
      encode: (money: Money) => money.cents,
      decode: (cents: unknown) => new Money(cents as number),
    };
    const prices = traceTool({ name: 'prices', chunkCodec }, (_input: object) => slowly(new Money(5), new Money(7)));
    await replaysAlike(async () => (await all(prices({}))).map((each) => each instanceof Money && each.cents));
  });
});
