import { join } from 'node:path';
import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');

/** Records one call of `body` with `args`, and gives the paths that the bundle notes. */
async function notedOf(body: (...args: never[]) => unknown, ...args: readonly unknown[]): Promise<readonly string[]> {
  const tool = traceTool('tool', body as (...args: unknown[]) => unknown);
  await record('agent', { output: path(), overwrite: true }, async () => {
    try {
      await tool(...args);
    } catch {
      // What a tool throws is not what is asked about.
    }
  });
  const trace = loadSound(path());
  const [call] = eventsOf(trace, 'tool_call');
  const noted = trace.runtime.flatMap((entry) => (entry.type === 'mutated' ? [entry] : []));
  expect(noted.every(({ call_id }) => call_id === call?.id)).toBe(true);
  return noted.flatMap(({ paths }) => paths);
}

describe('a tool that changes its own argument', () => {
  it('is noted with the paths, and its input stays what it was at the call', async () => {
    const paths = await notedOf(
      (order: { items: string[]; note?: string; status: string; left: number }) => {
        order.items.push('added');
        order.status = 'sent';
        delete order.note;
        Object.assign(order, { fresh: 1 });
      },
      { items: ['a'], note: 'n', status: 'new', left: 1 },
    );
    expect([...paths].sort()).toEqual(['/input/fresh', '/input/items/1', '/input/note', '/input/status']);
    expect(eventsOf(loadSound(path()), 'tool_call')[0]?.input).toEqual({
      items: ['a'],
      left: 1,
      note: 'n',
      status: 'new',
    });
  });

  it('is noted by the place among several arguments, deep down, and where it is emptied', async () => {
    const change = (list: number[], deep: { a: [{ b: number }] }): void => {
      list.length = 1;
      deep.a[0].b++;
    };
    expect(await notedOf(change, [1, 2], { a: [{ b: 1 }] })).toEqual(['/input/args/0/1', '/input/args/1/a/0/b']);
  });

  it('is noted where it is async, and where it throws', async () => {
    const change = async (order: { done: boolean }): Promise<never> => {
      await null;
      order.done = true;
      throw new Error('no');
    };
    expect(await notedOf(change, { done: false })).toEqual(['/input/done']);
  });

  it.each<[string, object, (value: never) => void]>([
    ['a date', new Date(0), (value: Date) => value.setTime(1)],
    ['a map', new Map([['a', 1]]), (value: Map<string, number>) => value.set('a', 2)],
    ['a set', new Set(['a']), (value: Set<string>) => value.add('b')],
    ['bytes', new Uint8Array([1]), (value: Uint8Array) => value.fill(2)],
  ])('is noted of %s', async (_kind, value, change) => {
    expect(await notedOf(({ value: given }: { value: never }) => change(given), { value })).toEqual(['/input/value']);
    expect(await notedOf(() => {}, { value })).toEqual([]);
  });

  it('is noted where a value changes its kind', async () => {
    const change = (value: Record<string, unknown>): void => {
      Object.assign(value, { a: undefined, b: [1], c: { d: 1 }, e: Number.NaN });
    };
    const given = { a: 1, b: { d: 1 }, c: [1], e: 0, f: undefined, g: Number.NaN, h: 10n, i: null, j: -0 };
    expect(await notedOf(change, given)).toEqual(['/input/a', '/input/b', '/input/c', '/input/e']);
  });

  it('is not noted where nothing changed, whatever the arguments are', async () => {
    class Client {
      calls = 0;
    }
    const given = {
      text: 'é€',
      numbers: [0, -0, 1.5, Number.NaN, 10n],
      nothing: [undefined, null],
      holes: new Array<number>(2),
      tagLike: { $stepfork: 'date', $$stepfork: 1 },
      callback: () => {},
      symbol: Symbol('s'),
      error: new Error('e'),
      url: new URL('https://example.com'),
      listed: Object.assign([1], { extra: 2 }),
      client: new Client(),
      'lone \ud800': 1,
    };
    expect(await notedOf(({ client }: typeof given) => client.calls++, given)).toEqual([]);
    const cycle: { self?: unknown; n: number } = { n: 1 };
    cycle.self = cycle;
    expect(await notedOf(() => {}, cycle)).toEqual([]);
    expect(await notedOf((a: number) => a + 1, 1, 'b')).toEqual([]);
  });

  it('does not run a getter of its argument', async () => {
    let read = 0;
    const lazy = {
      get value() {
        return ++read;
      },
    };
    expect(await notedOf(() => {}, lazy)).toEqual([]);
    expect(read).toBe(0);
  });

  it('is noted of a request too, and names no secret', async () => {
    const input: Record<string, unknown> = { messages: ['hi'] };
    await record('agent', { output: path() }, () =>
      llmRequest({
        model: 'm',
        input,
        call: () => {
          input['Bearer abcdef0123456789abcdef'] = 1;
          (input.messages as string[]).push('more');
        },
      }),
    );
    const noted = loadSound(path()).runtime.find((entry) => entry.type === 'mutated');
    expect(JSON.stringify(noted)).toContain('/input/messages/1');
    expect(JSON.stringify(noted)).not.toContain('abcdef0123456789');
  });
});
