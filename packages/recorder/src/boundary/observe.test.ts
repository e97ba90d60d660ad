import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { observe } from './observe.js';

type Told = [how: 'returned' | 'threw', what: unknown, answered: string];

function watch(body: () => unknown): { readonly told: Told[]; readonly answer: unknown } {
  const told: Told[] = [];
  const answer = observe(body, {
    returned: (value, answered) => {
      told.push(['returned', value, answered]);
      return value;
    },
    threw: (thrown, answered) => told.push(['threw', thrown, answered]),
  });
  return { told, answer };
}

const THEN = 'then';

/** A promise as SDKs make them: private fields, methods of its own, and work that starts when it is asked. */
class ApiPromise extends Promise<string> {
  readonly #secret: string;
  asked = 0;
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }
  constructor(secret: string) {
    super((resolve) => resolve('unparsed'));
    this.#secret = secret;
  }
  override [THEN]<A = string, B = never>(
    onFulfilled?: ((value: string) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.asked++;
    return Promise.resolve(this.#secret).then(onFulfilled, onRejected);
  }
  raw(): string {
    return `raw ${this.#secret}`;
  }
}

describe('observe', () => {
  it('tells of a value and gives it back', () => {
    const value = { a: 1 };
    const { told, answer } = watch(() => value);
    expect(answer).toBe(value);
    expect(told).toEqual([['returned', value, 'sync']]);
  });

  it('tells of an error and throws the same', () => {
    const error = new Error('no');
    const told: unknown[] = [];
    const run = (): unknown =>
      observe(
        () => {
          throw error;
        },
        { returned: () => {}, threw: (thrown) => told.push(thrown) },
      );
    expect(run).toThrow(error);
    expect(told[0]).toBe(error);
  });

  it('tells of a promise before its caller goes on', async () => {
    const { told, answer } = watch(async () => 1);
    expect(told).toEqual([]);
    expect(await answer).toBe(1);
    expect(told).toEqual([['returned', 1, 'promise']]);
  });

  it('tells of a rejection before its caller goes on, and rejects with the same', async () => {
    const error = new Error('no');
    const { told, answer } = watch(() => Promise.reject(error));
    await expect(answer).rejects.toBe(error);
    expect(told).toEqual([['threw', error, 'promise']]);
  });

  it('follows a promise of another realm', async () => {
    const { told, answer } = watch(() => runInNewContext('Promise.resolve(5)'));
    expect(await answer).toBe(5);
    expect(told).toEqual([['returned', 5, 'promise']]);
  });

  it('keeps what a promise carries', async () => {
    const cancel = (): string => 'cancelled';
    const { answer } = watch(() => Object.assign(Promise.resolve(1), { cancel }));
    expect((answer as { cancel: unknown }).cancel).toBe(cancel);
    expect(await answer).toBe(1);
  });

  it("gives back an SDK's promise itself, and asks it no more often than its user does", async () => {
    const promise = new ApiPromise('s');
    const { told, answer } = watch(() => promise);
    expect(answer).toBe(promise);
    expect(promise.raw()).toBe('raw s');
    await Promise.resolve();
    expect([told, promise.asked]).toEqual([[], 0]);
    expect(await promise).toBe('s');
    expect([told, promise.asked]).toEqual([[['returned', 's', 'promise']], 1]);
    await promise;
    expect(told).toHaveLength(1);
  });

  it.each<[string, (promise: ApiPromise) => Promise<unknown>]>([
    ['catch', (promise) => promise.catch(() => 'caught')],
    ['finally', (promise) => promise.finally(() => {})],
  ])("learns an outcome from its user's %s", async (_method, use) => {
    const promise = new ApiPromise('s');
    const { told } = watch(() => promise);
    expect(await use(promise)).toBe('s');
    expect(told).toEqual([['returned', 's', 'promise']]);
  });

  it('learns the outcome of a lazy thenable when it is run, once for each call that it answered', async () => {
    let runs = 0;
    const query = {
      [THEN](onFulfilled: (rows: number[]) => unknown) {
        runs++;
        return Promise.resolve([1, 2]).then(onFulfilled);
      },
    };
    const first = watch(() => query);
    const second = watch(() => query);
    expect(runs).toBe(0);
    expect(await first.answer).toEqual([1, 2]);
    expect(runs).toBe(1);
    expect([first.told.length, second.told.length]).toEqual([1, 1]);
  });

  it('gives what stands in for a value, by every way and each time that it is asked', async () => {
    const value = { real: true };
    const standIn = { real: false };
    const outcome = { returned: () => standIn, threw: () => {} };
    expect(observe(() => value, outcome)).toBe(standIn);
    expect(await observe(() => Promise.resolve(value), outcome, { mayDiffer: true })).toBe(standIn);
    const query = {
      [THEN]: (onFulfilled: (value: unknown) => unknown) => Promise.resolve(1).then(() => onFulfilled(value)),
    };
    const answer = observe(() => query, outcome) as PromiseLike<unknown>;
    expect([await answer, await answer]).toEqual([standIn, standIn]);
  });

  it('takes a thenable that cannot be watched for the value that it is', () => {
    const frozen = Object.freeze({ [THEN]: () => {} });
    const { told, answer } = watch(() => frozen);
    expect(answer).toBe(frozen);
    expect(told).toEqual([['returned', frozen, 'sync']]);
  });
});
