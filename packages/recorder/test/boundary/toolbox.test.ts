import { join } from 'node:path';
import { record, traceTool, traceTools } from '@stepfork/recorder';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');

describe('traceTools', () => {
  it('B167 makes a tool of each function, named by its key, and keeps the rest and the type', async () => {
    const inner = Symbol('inner');
    const tools = {
      version: 2,
      search: async (city: string) => [`${city} 1`],
      count(list: string[]) {
        return list.length + this.version;
      },
      [inner]: 1,
    };
    const traced = traceTools(tools);
    expectTypeOf(traced).toEqualTypeOf<typeof tools>();
    expect(Object.keys(traced)).toEqual(Object.keys(tools));
    expect(traced[inner]).toBe(1);
    const output = await record('agent', { output: path() }, async () => traced.count(await traced.search('x')));
    expect(output).toBe(3);
    const calls = eventsOf(loadSound(path()), 'tool_call').map(({ name, input }) => [name, input]);
    expect(calls).toEqual([
      ['search', { args: ['x'] }],
      ['count', { args: [['x 1']] }],
    ]);
    await record('agent', { output: path(), overwrite: true }, () => tools.search('x'));
    expect(eventsOf(loadSound(path()), 'tool_call')).toEqual([]);
  });

  it('leaves a tool that is traced already as it is', () => {
    const given = traceTool('own name', () => 1);
    expect(traceTools({ given }).given).toBe(given);
    expect(traceTools(traceTools({ given })).given).toBe(given);
  });

  it('reads no accessor', () => {
    const tools = {
      get lazy(): () => number {
        throw new Error('read');
      },
      tool: () => 1,
    };
    expect(traceTools(tools).tool()).toBe(1);
  });

  it('refuses what is no toolbox', () => {
    // @ts-expect-error a text is no object
    expect(() => traceTools('tools')).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
