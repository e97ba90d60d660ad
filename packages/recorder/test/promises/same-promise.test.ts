import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');
const KEY = Symbol('key');
const pause = (ms = 1): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Tool = () => Promise<unknown>;
const TOOLS: readonly [string, () => Tool][] = [
  ['an async function', () => async () => 'tool'],
  ['a function', () => () => Promise.resolve('tool')],
  ['a function that answers later', () => () => pause().then(() => 'tool')],
];

describe.each(TOOLS)('the promise of %s', (_name, make) => {
  it('is the very promise that was made', async () => {
    let made: Promise<unknown> | undefined;
    const fn = make();
    const tool = traceTool('tool', () => {
      made = Object.assign(fn(), { [KEY]: 1 });
      return made;
    });
    await record('agent', { output: path() }, async () => {
      const given = tool();
      expect(given).toBe(made);
      Object.assign(made as object, { later: 2 });
      expect(given).toMatchObject({ [KEY]: 1, later: 2 });
      expect(await given).toBe('tool');
      expect(Object.getPrototypeOf(given)).toBe(Promise.prototype);
      expect(given.constructor).toBe(Promise);
    });
    expect(eventsOf(loadSound(path()), 'tool_result')).toMatchObject([{ output: 'tool' }]);
  });

  it.each<[string, (tool: Tool) => unknown]>([
    ['against another', (tool) => Promise.race([tool(), (async () => 'other')()])],
    ['from behind', (tool) => Promise.race([(async () => 'other')(), tool()])],
    ['against one that takes a turn longer', (tool) => Promise.race([tool(), Promise.resolve().then(() => 'other')])],
    [
      'in a crowd',
      async (tool) => {
        const order: unknown[] = [];
        const note = (what: unknown): unknown => order.push(what);
        const racer = async (turns: number): Promise<void> => {
          for (let turn = 0; turn < turns; turn++) await null;
          note(turns);
        };
        await Promise.all([racer(1), tool().then(note), racer(2), (async () => note(await tool()))(), racer(3)]);
        return order;
      },
    ],
  ])('takes no turn more in a race %s', async (_race, agent) => {
    const bare = await agent(make());
    const tool = traceTool('tool', make());
    expect(await record('agent', { output: path() }, () => agent(tool))).toEqual(bare);
  });
});

describe('a promise that is given to several callers', () => {
  it('is one promise, and the outcome of each call', async () => {
    const shared = pause().then(() => ({ answer: 42 }));
    const inner = traceTool('inner', () => shared);
    const outer = traceTool('outer', () => inner());
    await record('agent', { output: path() }, async () => {
      const all = [inner(), outer(), inner()];
      expect(new Set([...all, shared]).size).toBe(1);
      await Promise.all(all);
      // After it has settled as well.
      expect(inner()).toBe(shared);
      expect(await inner()).toEqual({ answer: 42 });
    });
    const trace = loadSound(path());
    expect(eventsOf(trace, 'tool_call')).toHaveLength(6);
    expect(eventsOf(trace, 'tool_result').map(({ output }) => output)).toEqual(Array(6).fill({ answer: 42 }));
  });
});

describe('a promise that nobody asks', () => {
  it('is recorded once it is fulfilled', async () => {
    const own = traceTool('own', async () => 1);
    const shared = traceTool('shared', () => pause(3).then(() => 2));
    await record('agent', { output: path() }, async () => {
      void own();
      void shared();
      await pause(40);
    });
    expect(outline(loadSound(path()))).toEqual([
      '0 run_start',
      '1 tool_call own < 0',
      '2 tool_call shared < 0',
      '3 tool_result own < 1',
      '4 tool_result shared < 2',
      '5 run_end',
    ]);
  });

  it('of an async function is recorded as failed, though the program listens to what nobody handles', async () => {
    const heard: unknown[] = [];
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (reason) => heard.push(reason));
    try {
      const error = new RangeError('no');
      const tool = traceTool('fails', async () => {
        throw error;
      });
      await record('agent', { output: path() }, async () => {
        void tool();
        await pause(5);
      });
      expect(heard).toEqual([error]);
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    }
    expect(eventsOf(loadSound(path()), 'error')).toMatchObject([{ error_type: 'RangeError' }]);
  });
});

describe('with onUnserializable: throw', () => {
  it('another promise follows the one that was made, with all that was set on it', async () => {
    const tool = traceTool('tool', () => Object.assign(Promise.resolve(1), { [KEY]: 1 }));
    const result = await record('agent', { output: path(), onUnserializable: 'throw' }, async () => {
      const given = tool();
      return [given[KEY], await given];
    });
    expect(result).toEqual([1, 1]);
  });
});
