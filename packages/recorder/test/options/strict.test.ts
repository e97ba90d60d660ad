import { join } from 'node:path';
import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');
const strict = { onUnserializable: 'throw' } as const;

class Connection {
  readonly host = 'h';
}

describe("onUnserializable: 'throw'", () => {
  it('B169 refuses an argument that is no data before the body runs', async () => {
    let ran = 0;
    const body = (_callback: () => void): number => ++ran;
    const sync = traceTool('sync', body);
    const async = traceTool('async', async (callback: () => void) => body(callback));
    const request = (): number => llmRequest({ provider: 'p', model: 'm', input: () => {}, call: () => ++ran });
    await record('agent', { output: path(), ...strict }, async () => {
      expect(() => sync(() => {})).toThrow(
        expect.objectContaining({
          code: 'unserializable',
          message:
            "tool 'sync': /input/args/0 (function) cannot be recorded; pass plain data, or record other data by `input`",
          details: { pointer: '/input/args/0', reason: 'function' },
        }),
      );
      await expect(async(() => {})).rejects.toMatchObject({ code: 'unserializable' });
      expect(request).toThrow("LLM 'p/m': /input (function) cannot be recorded");
    });
    expect(ran).toBe(0);
    expect(outline(loadSound(path()))).toEqual(['0 run_start', '1 run_end']);
  });

  it('B169 refuses a result that is no data after the body ran, and its call has no outcome', async () => {
    let ran = 0;
    const connect = (): Connection => {
      ran++;
      return new Connection();
    };
    const sync = traceTool('sync', connect);
    const async = traceTool('async', async () => connect());
    await record('agent', { output: path(), ...strict }, async () => {
      expect(sync).toThrow(
        expect.objectContaining({
          code: 'unserializable',
          message: "tool 'sync': /output (class Connection) cannot be recorded; return plain data, or give a codec",
        }),
      );
      await expect(async()).rejects.toMatchObject({ code: 'unserializable' });
    });
    expect(ran).toBe(2);
    const trace = loadSound(path());
    expect(outline(trace)).toEqual(['0 run_start', '1 tool_call sync < 0', '2 tool_call async < 0', '3 run_end']);
    expect(trace.status).toBe('completed');
  });

  it('fails the run with the error where nobody catches it', async () => {
    const tool = traceTool('tool', (_callback: () => void) => 1);
    const run = record('agent', { output: path(), ...strict }, () => tool(() => {}));
    await expect(run).rejects.toMatchObject({ code: 'unserializable' });
    expect(loadSound(path()).failure).toMatchObject({ type: 'StepforkError', step: 1 });
  });

  it('lets data, and what a codec makes data, through', async () => {
    const connect = traceTool(
      { name: 'coded', codec: { encode: ({ host }) => host, decode: () => new Connection() } },
      (_at: Date) => new Connection(),
    );
    await record('agent', { output: path(), ...strict }, () => connect(new Date(0)).host);
    expect(eventsOf(loadSound(path()), 'tool_result')[0]?.output).toBe('h');
  });

  it('does not touch an error that a tool throws, nor the output of the run', async () => {
    const error = Object.assign(new Error('no'), { connection: new Connection() });
    const fail = traceTool('fail', () => {
      throw error;
    });
    const connection = new Connection();
    const result = await record('agent', { output: path(), ...strict }, () => {
      expect(fail).toThrow(error);
      return connection;
    });
    expect(result).toBe(connection);
    expect(loadSound(path()).status).toBe('completed');
  });
});
