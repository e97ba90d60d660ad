import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { findUnservable, type Trace } from '@stepfork/trace-format';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { loadSound, outline, ownDirectory } from '../support/bundles.js';
import { streamOutcome, streamRecords } from '../support/stream-records.js';

const directory = ownDirectory();

async function recorded(agent: () => unknown): Promise<Trace> {
  const output = join(directory(), 'run.sftrace');
  await record('agent', { output }, agent);
  return loadSound(output);
}

function* dialogue(first: number): Generator<number, string, string> {
  const name = yield first;
  yield name.length;
  return `bye ${name}`;
}

function* pair(): Generator<number> {
  yield 1;
  yield 9;
}

async function* countdown(from: number): AsyncGenerator<number> {
  for (let n = from; n > 0; n--) yield n;
}

describe('a traced generator function', () => {
  it('keeps its type', () => {
    expectTypeOf(traceTool('t', dialogue)).toEqualTypeOf<typeof dialogue>();
    expectTypeOf(traceTool('t', countdown)).toEqualTypeOf<typeof countdown>();
    expect(traceTool('t', countdown)(1)).toBeInstanceOf(countdown);
  });

  it('records what it is sent and what it returns', async () => {
    const tool = traceTool('dialogue', dialogue);
    const trace = await recorded(() => {
      const talk = tool(7);
      expect([talk.next(), talk.next('Ada'), talk.next('x'), talk.next()]).toEqual([
        { done: false, value: 7 },
        { done: false, value: 3 },
        { done: true, value: 'bye Ada' },
        { done: true, value: undefined },
      ]);
    });
    expect(streamRecords(trace).records.map(({ sent }) => sent)).toEqual([undefined, 'Ada']);
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [7, 3], returned: 'bye Ada' });
  });

  it('records an error that is thrown into it as its own, unless it goes on', async () => {
    const caught = traceTool('catches', function* () {
      try {
        yield 1;
      } catch {
        yield 2;
      }
    });
    const uncaught = traceTool('throws', dialogue);
    const thrown = new TypeError('given up');
    const trace = await recorded(() => {
      const first = caught();
      first.next();
      expect(first.throw(thrown)).toEqual({ done: false, value: 2 });
      first.next();
      const second = uncaught(1);
      second.next();
      expect(() => second.throw(thrown)).toThrow(thrown);
    });
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [1, 2] });
    expect(outline(trace).slice(3)).toEqual([
      '3 tool_call throws < 0',
      '4 tool_result throws < 3',
      '5 error TypeError < 4',
      '6 run_end',
    ]);
  });

  it.each([
    ['a generator', (body: () => Generator<number>) => body],
    [
      'an async generator',
      (body: () => Generator<number>) =>
        async function* () {
          yield* body();
        },
    ],
  ])('records how %s was asked for its chunks and its end', async (_kind, as) => {
    const tool = traceTool(
      'asked',
      as(function* () {
        try {
          yield 1;
        } catch {
          yield 2;
        } finally {
          yield 3;
        }
      }) as () => AsyncGenerator<number>,
    );
    const trace = await recorded(async () => {
      const whole = tool();
      await whole.next();
      await whole.throw(new TypeError('given up'));
      await whole.return('R' as never);
      await whole.next();
      const failing = tool();
      await failing.next();
      await failing.return('S' as never);
      await Promise.resolve()
        .then(() => failing.throw('now'))
        .catch(() => {});
      await tool().return('T' as never);
    });
    expect(trace.runtime.filter(({ type }) => type === 'stream')).toMatchObject([
      { acts: true },
      { acts: true },
      { acts: true },
    ]);
    const given = trace.runtime.filter((each) => each.type === 'chunk' || each.type === 'stream_end');
    expect(given.map(({ type, sent, thrown, closed }) => [type, sent, thrown, closed])).toMatchObject([
      ['chunk', undefined, undefined, undefined],
      ['chunk', undefined, { name: 'TypeError', message: 'given up' }, undefined],
      ['chunk', undefined, undefined, 'R'],
      ['chunk', undefined, undefined, undefined],
      ['chunk', undefined, undefined, 'S'],
      ['stream_end', undefined, 'now', undefined],
      ['stream_end', undefined, undefined, 'T'],
    ]);
  });

  it('goes on where it is given up and yields all the same', async () => {
    const tool = traceTool('last word', function* () {
      try {
        yield 1;
      } finally {
        yield 2;
      }
    });
    const trace = await recorded(() => {
      const stream = tool();
      stream.next();
      expect(stream.return()).toEqual({ done: false, value: 2 });
      expect(stream.next()).toEqual({ done: true, value: undefined });
    });
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [1, 2] });
  });

  it('lives on where its own body asks it for more', async () => {
    const errors: unknown[] = [];
    const tool = traceTool('impatient', function* (): Generator<number> {
      try {
        self.next();
      } catch (error) {
        errors.push(error);
      }
      yield 1;
    });
    let self: Generator<number> = tool();
    const trace = await recorded(() => {
      self = tool();
      expect([...self]).toEqual([1]);
    });
    expect(errors).toMatchObject([{ message: 'Generator is already running' }]);
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [1] });
  });

  it('answers requests that come together in their order', async () => {
    const tool = traceTool('countdown', countdown);
    const trace = await recorded(async () => {
      const stream = tool(2);
      const results = await Promise.all([stream.next(), stream.next(), stream.next(), stream.next()]);
      expect(results.map(({ value }) => value)).toEqual([2, 1, undefined, undefined]);
    });
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [2, 1] });
  });

  it('is over before it has begun where it is returned at once', async () => {
    const tool = traceTool('countdown', countdown);
    const trace = await recorded(() => tool(2).return('never mind'));
    expect(streamOutcome(trace, 2)).toEqual({ end: 'cancelled', chunks: [], returned: 'never mind' });
  });

  it('is read by all that reads generators', async () => {
    const tool = traceTool('numbers', function* () {
      yield* [1, 2, 3];
    });
    const trace = await recorded(() => {
      const [first, ...rest] = tool();
      expect([first, rest]).toEqual([1, [2, 3]]);
      expect(Array.from(tool())).toEqual([1, 2, 3]);
      expect(new Set(tool()).size).toBe(3);
      const [only] = tool();
      expect(only).toBe(1);
      const outer = (function* () {
        yield* tool();
      })();
      expect([...outer]).toEqual([1, 2, 3]);
    });
    const outcomes = [2, 4, 6, 8, 10].map((position) => streamOutcome(trace, position));
    expect(outcomes.map(({ end, chunks }) => `${end} ${chunks.length}`)).toEqual([
      'complete 3',
      'complete 3',
      'complete 3',
      'cancelled 1',
      'complete 3',
    ]);
  });

  it('can be an iterator of the language', async () => {
    const tool = traceTool('values', () => new Map([['a', 1]]).entries());
    const trace = await recorded(() => {
      expect([...tool()]).toEqual([['a', 1]]);
    });
    expect(streamOutcome(trace, 2).chunks).toEqual([['a', 1]]);
  });
});

describe('a frozen stream', () => {
  it('is stood in for where it is a generator', async () => {
    const tool = traceTool('frozen', () => Object.freeze(pair()));
    const trace = await recorded(() => {
      const stream = tool();
      expect(stream).toBeInstanceOf(pair);
      expect(stream[Symbol.iterator]()).toBe(stream);
      expect([...stream]).toEqual([1, 9]);
    });
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [1, 9] });
  });

  it('is stood in for where it is a plain iterable', async () => {
    const tool = traceTool('frozen', () =>
      Object.freeze({ id: 'x', [Symbol.asyncIterator]: () => Object.freeze(countdown(2)) }),
    );
    const trace = await recorded(async () => {
      const stream = tool();
      expect(stream).toMatchObject({ id: 'x' });
      expect(Object.isFrozen(stream)).toBe(true);
      const seen: number[] = [];
      for await (const chunk of stream) seen.push(chunk);
      expect(seen).toEqual([2, 1]);
    });
    expect(streamOutcome(trace, 2)).toEqual({ end: 'complete', chunks: [2, 1] });
  });

  it('is a placeholder where nothing can stand in for it', async () => {
    class Steps {
      next(): IteratorResult<number> {
        return { done: true, value: 0 };
      }
      [Symbol.iterator](): this {
        return this;
      }
    }
    const made = Object.freeze(new Steps());
    const tool = traceTool('frozen steps', () => made);
    const trace = await recorded(() => {
      expect(tool()).toBe(made);
    });
    const result = trace.events[2];
    expect(findUnservable(result !== undefined && 'output' in result ? result.output : null)).toBe('$');
    expect(trace.runtime.some(({ type }) => type === 'stream')).toBe(false);
  });
});

describe('an iterator with results of its own making', () => {
  it('has them read once', async () => {
    let reads = 0;
    const tool = traceTool('lazy', () => ({
      left: 1,
      next() {
        const done = this.left-- === 0;
        return {
          done,
          get value() {
            reads++;
            return 'x';
          },
        };
      },
      [Symbol.iterator]() {
        return this;
      },
    }));
    const trace = await recorded(() => {
      expect([...tool()]).toEqual(['x']);
    });
    expect(reads).toBe(2);
    expect(streamOutcome(trace, 2).chunks).toEqual(['x']);
  });

  it('keeps their class', async () => {
    class Page {
      readonly #page: number;
      constructor(page: number) {
        this.#page = page;
      }
      get done(): boolean {
        return this.#page > 2;
      }
      get value(): number {
        return this.#page;
      }
      title(): string {
        return `page ${this.#page}`;
      }
    }
    const tool = traceTool('pages', () => {
      let page = 0;
      return {
        next: () => new Page(++page),
        return: () => ({ done: true, value: undefined }),
        [Symbol.iterator]() {
          return this;
        },
      };
    });
    const trace = await recorded(() => {
      const pages = tool();
      const first = pages.next();
      expect([first instanceof Page, first.title(), Object.keys(first)]).toEqual([true, 'page 1', []]);
      expect([...(pages as unknown as Iterable<number>)]).toEqual([2]);
    });
    expect(streamOutcome(trace, 2).chunks).toEqual([1, 2]);
  });

  it('are given on where they cannot be read', async () => {
    const odd = Object.defineProperty({}, 'done', {
      get() {
        throw new Error('no');
      },
    });
    const tool = traceTool('odd', () => ({ next: () => odd, [Symbol.iterator]: () => [][Symbol.iterator]() }));
    await recorded(() => {
      expect(tool().next()).toBe(odd);
    });
  });
});
