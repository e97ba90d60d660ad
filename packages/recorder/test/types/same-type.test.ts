import { types } from 'node:util';
import { llmRequest, record, type Session, traceAgent, traceTool } from '@stepfork/recorder';
import { describe, expect, expectTypeOf, it } from 'vitest';

// The types are checked by the compiler: the repository's typecheck covers this file.

function overloaded(id: number): { readonly id: number };
function overloaded(name: string, exact: boolean): Promise<string[]>;
function overloaded(key: number | string): unknown {
  return typeof key === 'number' ? { id: key } : Promise.resolve([key]);
}

function identity<T extends object>(value: T): T {
  return value;
}

class Shelf {
  readonly #books = ['a', 'b'];
  count(this: Shelf, extra: number): number {
    return this.#books.length + extra;
  }
}

async function* pages(last: number): AsyncGenerator<number, string> {
  for (let page = 1; page <= last; page++) yield page;
  return 'end';
}

const tracedOverloaded = traceTool({ name: 't', params: ['key'] }, overloaded);
const tracedIdentity = traceTool('t', identity);
const tracedCount = traceTool('t', Shelf.prototype.count);
const tracedPages = traceTool('t', pages);
const tracedAgent = traceAgent({ name: 'a', tags: { team: 'x' } }, identity);
const tracedLiteral = traceTool('t', (city: string, days?: number) => `${city} ${days}`);

/** Whether two types are one, generic signatures included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

describe('the type of a traced function', () => {
  it('is that of the function: overloads, generics, this, generators', () => {
    const same: [
      Same<typeof tracedOverloaded, typeof overloaded>,
      Same<typeof tracedIdentity, typeof identity>,
      Same<typeof tracedCount, Shelf['count']>,
      Same<typeof tracedPages, typeof pages>,
      Same<typeof tracedAgent, typeof identity>,
      Same<typeof tracedLiteral, (city: string, days?: number) => string>,
    ] = [true, true, true, true, true, true];
    expect(same).not.toContain(false);
    expectTypeOf(tracedOverloaded(1)).toEqualTypeOf<{ readonly id: number }>();
    expectTypeOf(tracedOverloaded('a', true)).toEqualTypeOf<Promise<string[]>>();
    expectTypeOf(tracedIdentity({ a: 1 })).toEqualTypeOf<{ a: number }>();
  });

  it('gives its arguments and results to the options', () => {
    traceTool(
      {
        name: 't',
        input: (city, days) => {
          expectTypeOf(city).toEqualTypeOf<string>();
          expectTypeOf(days).toEqualTypeOf<number>();
          return { city };
        },
        codec: {
          encode: (date) => {
            expectTypeOf(date).toEqualTypeOf<Date>();
            return date.getTime();
          },
          decode: (data) => new Date(Number(data)),
        },
      },
      async (city: string, days: number) => new Date(city.length + days),
    );
  });

  it('gives the chunks of its streams to the options', () => {
    const web = (): Promise<ReadableStream<Date>> => Promise.resolve(new ReadableStream());
    traceTool(
      {
        name: 't',
        chunkCodec: {
          encode: (page) => {
            expectTypeOf(page).toEqualTypeOf<number>();
            return page;
          },
          decode: Number,
        },
      },
      pages,
    );
    traceTool(
      { name: 't', chunkCodec: { encode: (date) => date.getTime(), decode: (ms) => new Date(Number(ms)) } },
      web,
    );
    llmRequest({
      model: 'm',
      input: 1,
      call: web,
      chunkCodec: { encode: (date) => date.getTime(), decode: (ms) => new Date(Number(ms)) },
      usage: (dates) => {
        expectTypeOf(dates).toEqualTypeOf<Date[]>();
        return {};
      },
    }).catch(() => {});
    const stream = () => llmRequest({ model: 'm', input: 1, call: () => pages(1) });
    expectTypeOf(stream).returns.toEqualTypeOf<AsyncGenerator<number, string>>();
  });

  it('is kept by llmRequest, record and its session', () => {
    expectTypeOf(llmRequest({ model: 'm', input: 1, call: () => 'text' })).toEqualTypeOf<string>();
    const request = (): Promise<number> => llmRequest({ model: 'm', input: 1, call: async () => 1 });
    expectTypeOf(request).returns.toEqualTypeOf<Promise<number>>();
    const run = () => record('a', { input: { city: 'x' } }, async (_session, input) => input.city);
    expectTypeOf(run).returns.toEqualTypeOf<Promise<string>>();
    const bare = () =>
      record('a', (session, input) => {
        expectTypeOf(session).toEqualTypeOf<Session>();
        expectTypeOf(input).toEqualTypeOf<undefined>();
        return 1;
      });
    expectTypeOf(bare).returns.toEqualTypeOf<Promise<number>>();
  });

  it('refuses what is no tool', () => {
    // @ts-expect-error a text is no function
    expect(() => traceTool('t', 'text')).toThrow("traceTool('t') needs a function, not string");
    // @ts-expect-error params are names
    expect(() => traceTool({ name: 't', params: [1] }, identity)).toThrow("as its option 'params'");
    expect(() => traceTool('', identity)).toThrow('traceTool needs a name that is a non-empty string');
  });
});

describe('a traced function', () => {
  it('cannot be told from the function', () => {
    const tool = Object.assign(async function search(_query: string, _limit: number) {}, { description: 'searches' });
    const traced = traceTool('t', tool);
    expect(traced).not.toBe(tool);
    expect([traced.name, traced.length, traced.description]).toEqual(['search', 2, 'searches']);
    expect(Object.prototype.toString.call(traced)).toBe('[object AsyncFunction]');
    expect(traced.constructor).toBe(tool.constructor);
    expect(Object.keys(traced)).toEqual(['description']);
    expect(types.isAsyncFunction(tool)).toBe(true);
  });

  it('keeps this', () => {
    const shelf = new Shelf();
    shelf.count = traceTool('count', shelf.count);
    expect(shelf.count(3)).toBe(5);
  });

  it('is wrapped once, however often it is asked for', () => {
    const traced = traceTool('t', identity);
    expect(traceTool('other', traced)).toBe(traced);
    expect(traceTool('t', identity)).not.toBe(identity);
  });
});
