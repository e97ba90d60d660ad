import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');
const THEN = 'then';

type Handler = (thrown: unknown) => unknown;

/** As Bluebird has it: a class may stand before the handler, which is then only for errors of that class. */
class Filtering {
  readonly #promise: Promise<unknown>;
  constructor(promise: Promise<unknown>) {
    this.#promise = promise;
  }
  [THEN](onFulfilled?: ((value: unknown) => unknown) | null, onRejected?: Handler | null): Filtering {
    return new Filtering(this.#promise.then(onFulfilled, onRejected));
  }
  catch(...args: readonly unknown[]): Filtering {
    const handler = args.at(-1) as Handler;
    const [type] = args.length === 2 ? (args as [new () => Error]) : [Object];
    return this[THEN](undefined, (thrown) => {
      if (thrown instanceof type) return handler(thrown);
      throw thrown;
    });
  }
}

/** As the clients of LLM providers have it: each method asks in its own way. */
class Parsed {
  readonly asked: string[] = [];
  readonly #answer: () => Promise<unknown>;
  constructor(answer: () => Promise<unknown>) {
    this.#answer = answer;
  }
  [THEN](onFulfilled?: ((value: unknown) => unknown) | null, onRejected?: Handler | null): Promise<unknown> {
    this.asked.push('then');
    return this.#answer().then(onFulfilled, onRejected);
  }
  catch(onRejected: Handler): Promise<unknown> {
    this.asked.push('catch');
    return this.#answer().catch(onRejected);
  }
  finally(onFinally: () => unknown): Promise<unknown> {
    this.asked.push('finally');
    return this.#answer().finally(onFinally);
  }
}

interface Recorded {
  readonly result: unknown;
  readonly outcomes: readonly unknown[];
}

async function recorded(agent: () => unknown): Promise<Recorded> {
  const result = await record('agent', { output: path(), overwrite: true }, agent);
  const trace = loadSound(path());
  return {
    result,
    outcomes: [
      ...eventsOf(trace, 'tool_result')
        .filter(({ status }) => status === 'ok')
        .map(({ output }) => output),
      ...eventsOf(trace, 'error').map(({ message }) => message),
    ],
  };
}

const fails = (): Promise<never> => Promise.reject(new RangeError('too far'));

describe('a thenable of a class of its own', () => {
  it('keeps what its catch means beyond a handler', async () => {
    const tool = traceTool('db', () => new Filtering(fails()));
    const run = await recorded(() =>
      tool()
        .catch(TypeError, () => 'wrong')
        .catch(RangeError, (error: unknown) => `caught ${(error as Error).message}`),
    );
    expect(run).toEqual({ result: 'caught too far', outcomes: ['too far'] });
  });

  it.each<[string, (tool: () => Parsed) => unknown, Recorded]>([
    ['catch', (tool) => tool().catch(() => 'caught'), { result: 1, outcomes: [1] }],
    ['finally', (tool) => tool().finally(() => 'ignored'), { result: 1, outcomes: [1] }],
  ])('is recorded by what its %s answers where it is fine', async (method, use, expected) => {
    const made = new Parsed(async () => 1);
    expect(await recorded(() => use(traceTool('sdk', () => made)))).toEqual(expected);
    expect(made.asked).toEqual([method]);
  });

  it.each<[string, (tool: () => Parsed) => unknown, Recorded]>([
    ['catch', (tool) => tool().catch(() => 'caught'), { result: 'caught', outcomes: ['too far'] }],
    [
      'finally',
      (tool) =>
        tool()
          .finally(() => {})
          .catch(() => 'after'),
      { result: 'after', outcomes: ['too far'] },
    ],
    [
      'finally',
      (tool) =>
        tool()
          .finally(() => fails())
          .catch(() => 'after'),
      { result: 'after', outcomes: [] },
    ],
  ])('is recorded by what its %s is given where it fails', async (method, use, expected) => {
    const made = new Parsed(fails);
    expect(await recorded(() => use(traceTool('sdk', () => made)))).toEqual(expected);
    expect(made.asked).toEqual([method]);
  });

  it('is asked by nobody but its user, and may answer anything', async () => {
    const odd = { [THEN]: () => {}, catch: (...args: unknown[]) => ['custom', args.length] };
    const tool = traceTool('odd', () => ({ odd })); // not the thenable itself, which a run would wait for
    const run = await recorded(() => {
      const watched = traceTool('watched', () => odd)();
      return [tool().odd === odd, watched === (odd as unknown), watched.catch(Error, () => 1)];
    });
    expect(run.result).toEqual([true, true, ['custom', 2]]);
  });
});
