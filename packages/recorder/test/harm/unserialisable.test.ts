import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { findUnservable, fromTraceValue } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const path = (): string => join(directory(), 'run.sftrace');

class Connection {
  constructor(readonly host: string) {}
}

describe('a value that is no data', () => {
  it('B169 goes on to the agent, and is a placeholder in the bundle, with one warning that names its path', async () => {
    const connection = new Connection('h');
    const connect = traceTool('connect', async (_options: { onClose: () => void }) => ({ pool: [connection] }));
    await record('agent', { output: path() }, async () => {
      expect((await connect({ onClose: () => {} })).pool[0]).toBe(connection);
      await connect({ onClose: () => {} });
    });
    const trace = loadSound(path());
    const [call] = eventsOf(trace, 'tool_call');
    const [result] = eventsOf(trace, 'tool_result');
    expect(findUnservable(result?.output ?? null)).toBe('$.pool[0]');
    expect(trace.runtime.filter((entry) => entry.type === 'placeholder').slice(0, 2)).toEqual([
      { type: 'placeholder', event_id: call?.id, path: '/input/onClose', reason: 'function' },
      { type: 'placeholder', event_id: result?.id, path: '/output/pool/0', reason: 'class Connection' },
    ]);
    expect(await warnings('unserializable')).toEqual([
      "tool 'connect': /input/onClose (function) cannot be recorded, so a placeholder was; record plain data as its input",
      "tool 'connect': /output/pool/0 (class Connection) cannot be recorded, so a placeholder was; " +
        'give it a codec, or a replay cannot answer with it',
    ]);
  });

  it('B170 is whole with a codec, which records as well as replays', async () => {
    const connect = traceTool(
      {
        name: 'coded',
        codec: { encode: ({ host }) => ({ host }), decode: (data) => new Connection((data as Connection).host) },
      },
      async () => new Connection('h'),
    );
    await record('agent', { output: path() }, () => connect());
    expect(eventsOf(loadSound(path()), 'tool_result')[0]?.output).toEqual({ host: 'h' });
    expect(await warnings('unserializable')).toHaveLength(1);
  });

  it('is a placeholder where its codec throws', async () => {
    const connect = traceTool(
      {
        name: 'badly coded',
        codec: {
          encode: () => {
            throw new Error('cannot');
          },
          decode: () => new Connection('h'),
        },
      },
      () => new Connection('h'),
    );
    expect(await record('agent', { output: path() }, () => connect().host)).toBe('h');
    expect(findUnservable(eventsOf(loadSound(path()), 'tool_result')[0]?.output ?? null)).toBe('$');
    expect(await warnings('unserializable')).toEqual([
      "tool 'badly coded': /output (its codec threw cannot) cannot be recorded, so a placeholder was; " +
        'give it a codec, or a replay cannot answer with it',
    ]);
  });

  it('is kept where JavaScript has more to say than JSON', async () => {
    const rich = { at: new Date(0), tags: new Set(['a']), big: 2n ** 70n, none: undefined, bytes: new Uint8Array([1]) };
    const tool = traceTool('rich', () => rich);
    await record('agent', { output: path() }, () => tool());
    const [result] = eventsOf(loadSound(path()), 'tool_result');
    expect(fromTraceValue(result?.output ?? null)).toEqual(rich);
  });

  it('keeps its place in the file where capturing it makes a call', async () => {
    const inner = traceTool('inner', () => 1);
    const outer = traceTool('outer', (_value: object) => 2);
    await record('agent', { output: path() }, () => outer(new Proxy({ lazy: null }, { get: () => inner() })));
    const trace = loadSound(path());
    expect(trace.events.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(eventsOf(trace, 'tool_call').map(({ name }) => name)).toEqual(['inner', 'outer']);
  });

  it('survives arguments and results that throw when they are looked at', async () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error('no');
        },
        ownKeys() {
          throw new Error('no');
        },
        getPrototypeOf() {
          throw new Error('no');
        },
      },
    );
    const tool = traceTool('hostile', (value: object) => value);
    const output = path();
    expect(await record('agent', { output }, () => tool(hostile) === hostile)).toBe(true);
    expect(loadSound(output).status).toBe('completed');
  });
});
