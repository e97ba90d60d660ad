import { describe, expect, expectTypeOf, it } from 'vitest';
import type { BoundaryCall, BoundaryHandler } from './handler.js';
import { HANDLER_VERSION } from './handler.js';
import { slot } from './slot.js';
import { traceTools } from './tools.js';

/** What the boundaries hand over while `body` runs. */
function callsIn(body: () => unknown): Pick<BoundaryCall, 'name' | 'input'>[] {
  const calls: Pick<BoundaryCall, 'name' | 'input'>[] = [];
  const handler: BoundaryHandler = {
    version: HANDLER_VERSION,
    mode: 'record',
    active: true,
    dispatch: (call) => {
      calls.push({ name: call.name, input: call.input });
      return call.invoke();
    },
    innerRun: () => ({ runId: 'run', settled: () => {} }),
  };
  slot().frames.run({ handler, call: null, parent: null }, body);
  return calls;
}

const toolbox = {
  rate: 2,
  add: (a: number, b: number) => a + b,
  scale(value: number) {
    return value * this.rate;
  },
  async *pages(last: number) {
    for (let page = 1; page <= last; page++) yield page;
  },
};

describe('traceTools', () => {
  it('gives a toolbox of the same type and shape', () => {
    const traced = traceTools(toolbox);
    expectTypeOf(traced).toEqualTypeOf<typeof toolbox>();
    expect(traced).not.toBe(toolbox);
    expect(Object.keys(traced)).toEqual(Object.keys(toolbox));
    expect(traced.rate).toBe(2);
    expect(Object.prototype.toString.call(traced.pages)).toBe('[object AsyncGeneratorFunction]');
  });

  it('traces each function under its key, with its own this', () => {
    const traced = traceTools(toolbox);
    const results: unknown[] = [];
    const calls = callsIn(() => {
      results.push(traced.add(1, 2), traced.scale(4));
    });
    expect(results).toEqual([3, 8]);
    expect(calls).toEqual([
      { name: 'add', input: { args: [1, 2] } },
      { name: 'scale', input: { args: [4] } },
    ]);
  });

  it('takes options by key', () => {
    const traced = traceTools(toolbox, {
      add: { params: ['a', 'b'] },
      scale: {
        name: 'scale_value',
        input: (value) => {
          expectTypeOf(value).toEqualTypeOf<number>();
          return { value };
        },
      },
    });
    expect(callsIn(() => [traced.add(1, 2), traced.scale(4)])).toEqual([
      { name: 'add', input: { a: 1, b: 2 } },
      { name: 'scale_value', input: { value: 4 } },
    ]);
  });

  it('takes options from a function', () => {
    const traced = traceTools(toolbox, (key) => ({ name: `math_${key}` }));
    expect(callsIn(() => traced.add(1, 2)).map(({ name }) => name)).toEqual(['math_add']);
  });

  it('has no options for what every object inherits', () => {
    const traced = traceTools({ toString: () => 'box', constructor: () => 1 });
    expect(callsIn(() => [traced.toString(), traced.constructor()]).map(({ name }) => name)).toEqual([
      'toString',
      'constructor',
    ]);
  });

  it('keeps the prototype, accessors and members that are no functions', () => {
    class Box {
      label = 'x';
      find = (): string => this.label;
      get upper(): string {
        return this.label.toUpperCase();
      }
      shout(): string {
        return `${this.find()}!`;
      }
    }
    const traced = traceTools(new Box());
    expect(traced).toBeInstanceOf(Box);
    traced.label = 'y';
    expect([traced.upper, traced.shout()]).toEqual(['Y', 'y!']);
    expect(callsIn(() => traced.shout()).map(({ name }) => name)).toEqual(['shout']);
  });

  it('looks through to an instance of a class, private fields and state included', async () => {
    class Box {
      base = 1;
      #secret = 2;
      book(n: number): number {
        return n + this.#secret + this.base;
      }
      get total(): number {
        return this.#secret;
      }
      setBase(n: number): void {
        this.base = n;
      }
    }
    const box = new Box();
    const traced = traceTools(box, { book: { params: ['n'] } });
    expect(traced instanceof Box).toBe(true);
    expect([traced.book(1), traced.total]).toEqual([4, 2]);
    traced.setBase(9);
    traced.base += 1;
    expect(box.base).toBe(10);
    expect(callsIn(() => traced.book(3))).toEqual([{ name: 'book', input: { n: 3 } }]);
    expect(traced.book).toBe(traced.book);
  });

  it('refuses options of a key that the toolbox does not have', () => {
    const misspelt = { ad: { params: ['a'] } } as object;
    expect(() => traceTools(toolbox, misspelt)).toThrow(/no option 'ad'/);
  });
});
