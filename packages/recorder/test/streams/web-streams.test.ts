import type { UnderlyingSource } from 'node:stream/web';
import { traceTool } from '@stepfork/recorder';
import { findUnservable } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { ownDirectory } from '../support/bundles.js';
import { streamOutcome } from '../support/stream-records.js';
import { drain, outputOf, recordedIn } from '../support/stream-runs.js';

const directory = ownDirectory();
const recorded = recordedIn(directory);

describe('a web stream', () => {
  it('tells whoever waits for its end without reading to it', async () => {
    const tool = traceTool('closes', () => ReadableStream.from([1]));
    const trace = await recorded(async () => {
      const reader = tool().getReader();
      const { closed } = reader;
      expect(await reader.read()).toEqual({ done: false, value: 1 });
      // A stream that was made by `from` is not closed before it is asked for more.
      expect(await reader.read()).toEqual({ done: true, value: undefined });
      expect(await closed).toBeUndefined();
    });
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [1] });
  });

  it.each<[string, (to: ReadableStreamDefaultController) => void]>([
    ['closes', (to) => to.close()],
    ['fails', (to) => to.error(new RangeError('no more'))],
  ])('tells whoever waits for its end that its source %s by itself', async (how, end) => {
    const make = () =>
      new ReadableStream({
        start(to) {
          setImmediate(() => end(to));
        },
      });
    const tool = traceTool(how, make);
    const seen = (stream: ReadableStream): Promise<unknown> =>
      stream.getReader().closed.then(
        () => 'closed',
        (thrown: unknown) => String(thrown),
      );
    const bare = await seen(make());
    const trace = await recorded(async () => {
      expect(await seen(tool())).toBe(bare);
    });
    expect(trace.events[2]).toMatchObject({ type: 'tool_result', status: how === 'closes' ? 'ok' : 'error' });
  });

  it('tells the reader that has its last chunk that it has closed', async () => {
    const tool = traceTool('last', () => {
      return new ReadableStream({
        start(to) {
          to.enqueue(1);
          to.close();
        },
      });
    });
    const trace = await recorded(async () => {
      const reader = tool().getReader();
      await reader.read();
      expect(await reader.closed).toBeUndefined();
    });
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [1] });
  });

  it('counts as complete when it is given up after the last chunk of a source that has closed', async () => {
    const tool = traceTool('closing', () => {
      return new ReadableStream({
        start(to) {
          to.enqueue(1);
          to.close();
        },
      });
    });
    const trace = await recorded(async () => {
      const reader = tool().getReader();
      await reader.read();
      await reader.cancel();
    });
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [1] });
  });

  it('is a placeholder where it is locked, and is handed on', async () => {
    const made = new ReadableStream();
    made.getReader();
    const tool = traceTool('locked', () => made);
    const trace = await recorded(() => {
      expect(tool()).toBe(made);
    });
    expect(findUnservable(outputOf(trace, 2))).toBe('$');
  });

  it('keeps what was set on it', async () => {
    const tool = traceTool('extended', () => {
      const made = ReadableStream.from([1, 2]);
      return Object.assign(made, {
        id: 'x',
        async *[Symbol.asyncIterator](this: ReadableStream<number>) {
          const reader = this.getReader();
          for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
        },
      });
    });
    const trace = await recorded(async () => {
      const stream = tool();
      expect(stream.id).toBe('x');
      expect(await drain(stream)).toEqual([1, 2]);
    });
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [1, 2] });
  });

  it('is not read ahead, and is free until its consumer reads', async () => {
    let asked = 0;
    const made = new ReadableStream(
      {
        pull(to) {
          asked++;
          to.enqueue(asked);
        },
      },
      { highWaterMark: 0 },
    );
    const tool = traceTool('endless', () => made);
    await recorded(async () => {
      const stream = tool();
      await new Promise((resolve) => setImmediate(resolve));
      expect([asked, made.locked]).toEqual([0, false]);
      const reader = stream.getReader();
      const both = await Promise.all([reader.read(), reader.read()]);
      expect(both.map(({ value }) => value)).toEqual([1, 2]);
      await new Promise((resolve) => setImmediate(resolve));
      expect([asked, made.locked]).toEqual([2, true]);
    });
  });

  it('is a body like any other', async () => {
    const tool = traceTool('body', () => new Response('text').body as ReadableStream<Uint8Array>);
    const trace = await recorded(async () => {
      expect(await new Response(tool()).text()).toBe('text');
    });
    expect(streamOutcome(trace, 2).end).toBe('complete');
  });

  it('is recorded where its class adds methods or cannot be made by anybody', async () => {
    const Base: new (source: UnderlyingSource<number>) => ReadableStream = ReadableStream;
    class Titled extends Base {
      readonly #title = 'x';
      title(): string {
        return this.#title;
      }
    }
    class Library {
      constructor() {
        if (new.target !== undefined && made !== null) throw new Error('not made by anybody');
      }
      readonly #from = ReadableStream.from([1, 2]);
      getReader(): ReadableStreamDefaultReader {
        return this.#from.getReader();
      }
      cancel(): void {}
    }
    let made: Library | null = null;
    made = new Library();
    const titled = new Titled({
      start(to) {
        to.enqueue(1);
        to.enqueue(2);
        to.close();
      },
    });
    const streams = [titled, made];
    const tool = traceTool('odd', (at: number) => streams[at] as ReadableStream);
    const trace = await recorded(async () => {
      const [first, second] = [tool(0), tool(1)];
      expect([first === titled, second === (made as unknown)]).toEqual([true, true]);
      expect((first as Titled).title()).toBe('x');
      expect(await drain(first)).toEqual([1, 2]);
      const reader = second.getReader();
      while (!(await reader.read()).done);
    });
    for (const position of [3, 4]) expect(streamOutcome(trace, position)).toEqual({ end: 'complete', chunks: [1, 2] });
  });

  it('is the very stream, and as free as its consumer leaves it', async () => {
    let made: ReadableStream<number> | undefined;
    const make = (): ReadableStream<number> => {
      let n = 0;
      made = new ReadableStream({ pull: (to) => to.enqueue(++n) });
      return made;
    };
    const tool = traceTool('endless', make);
    const promising = traceTool('promised', async () => make());
    for (const call of [tool, promising]) {
      const trace = await recorded(async () => {
        const stream = await call();
        expect(stream).toBe(made);
        const reader = stream.getReader();
        expect((await reader.read()).value).toBe(1);
        expect(made?.locked).toBe(true);
        reader.releaseLock();
        expect(made?.locked).toBe(false);
        const seen: number[] = [];
        for await (const chunk of stream) if (seen.push(chunk) === 2) break;
        expect(seen).toEqual([2, 3]);
        expect(made?.locked).toBe(false);
        expect(await made?.cancel('producer')).toBeUndefined();
      });
      expect(streamOutcome(trace, 2)).toEqual({ end: 'cancelled', chunks: [1, 2, 3] });
    }
  });

  it('is recorded by whatever consumes it as a whole', async () => {
    const make = traceTool('three', () => ReadableStream.from(['a', 'b', 'c']));
    const uses: readonly ((stream: ReadableStream<string>) => Promise<unknown>)[] = [
      async (stream) => (await Promise.all(stream.tee().map((branch) => drain(branch)))).flat().join(''),
      async (stream) => (await drain(stream.pipeThrough(new TextEncoderStream()))).length,
      async (stream) => drain(stream.values()),
      async (stream) => new Response(stream.pipeThrough(new TextEncoderStream())).text(),
    ];
    for (const use of uses) {
      const bare = await use(ReadableStream.from(['a', 'b', 'c']));
      const trace = await recorded(async () => expect(await use(make())).toEqual(bare));
      expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: ['a', 'b', 'c'] });
    }
  });

  it('refuses a second reader, and a read by none, as it does', async () => {
    const tool = traceTool('locked', () => ReadableStream.from([1]));
    await recorded(async () => {
      const stream = tool();
      const reader = stream.getReader();
      for (const use of [() => stream.getReader(), () => stream.tee(), () => stream.values()])
        expect(use).toThrow(TypeError);
      await expect(stream.cancel()).rejects.toThrow(TypeError);
      await expect(stream.pipeTo(new WritableStream())).rejects.toThrow(TypeError);
      reader.releaseLock();
      await expect(reader.read()).rejects.toThrow(TypeError);
    });
  });
});
