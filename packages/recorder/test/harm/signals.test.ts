import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { bundlesIn, loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (name = 'run'): string => join(directory(), `${name}.sftrace`);
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const listeners = (): number[] => SIGNALS.map((signal) => process.listenerCount(signal));

describe('handleSignals', () => {
  it('listens while a run that asked for it goes on, once for all of them', async () => {
    const before = listeners();
    const more = before.map((count) => count + 1);
    await record('agent', { output: path('a') }, () => expect(listeners()).toEqual(before));
    await record('agent', { output: path('b'), handleSignals: true }, async () => {
      expect(listeners()).toEqual(more);
    });
    const both = ['c', 'd'].map((name, index) =>
      record('agent', { output: path(name), handleSignals: true }, async () => {
        await new Promise((resolve) => setTimeout(resolve, index * 5));
        return listeners();
      }),
    );
    expect(await Promise.all(both)).toEqual([more, more]);
    expect(listeners()).toEqual(before);
  });

  it('finishes every such run as failed, and none of the others', async () => {
    // The program's own listener keeps the process alive.
    const heard: string[] = [];
    let isHeard = (): void => {};
    const signalled = new Promise<void>((resolve) => {
      isHeard = resolve;
    });
    const listen = (signal: string): void => {
      heard.push(signal);
      isHeard();
    };
    process.on('SIGHUP', listen);
    const tool = traceTool('tool', () => 1);
    const agent = async (): Promise<number> => {
      tool();
      await signalled;
      return tool();
    };
    const runs = [
      record('agent', { output: path('a'), handleSignals: true }, agent),
      record('agent', { output: path('b'), handleSignals: true }, agent),
      record('agent', { output: path('other') }, agent),
    ];
    process.kill(process.pid, 'SIGHUP');
    expect(await Promise.all(runs)).toEqual([1, 1, 1]);
    process.off('SIGHUP', listen);
    expect(heard).toEqual(['SIGHUP']);
    for (const name of ['a', 'b']) {
      expect(loadSound(path(name))).toMatchObject({
        status: 'failed',
        failure: { type: 'ProcessSignal', message: 'the process was ended by SIGHUP before the run did' },
        totals: { tool_calls: 1 },
      });
    }
    expect(loadSound(path('other'))).toMatchObject({ status: 'completed', totals: { tool_calls: 2 } });
    expect(bundlesIn(directory())).toHaveLength(3);
  });
});
