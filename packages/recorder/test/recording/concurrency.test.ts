import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const path = (name = 'run'): string => join(directory(), `${name}.sftrace`);
const run = programs(fileURLToPath(new URL('./programs', import.meta.url)));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const FULL = process.env.STEPFORK_FULL === '1';
const SESSIONS = FULL ? 1_000 : 100;
const CALLS = FULL ? 50 : 20;

describe('concurrent runs', () => {
  it(`never mix: ${SESSIONS} at once, each of ${CALLS} calls, with the usual number of open files`, async () => {
    const args = [directory(), String(SESSIONS), String(CALLS)];
    const { code, stdout, stderr } = await run('many-runs', { args, limits: 'ulimit -n 1024' });
    expect([code, stdout, stderr]).toEqual([0, `${SESSIONS * CALLS}`, '']);
    for (let session = 0; session < SESSIONS; session++) {
      const trace = loadSound(path(`s${session}`));
      const calls = eventsOf(trace, 'tool_call');
      expect(calls.map(({ input }) => input)).toEqual(
        Array.from({ length: CALLS }, (_, call) => ({ args: [session, call] })),
      );
      for (const result of eventsOf(trace, 'tool_result')) {
        const call = calls.find(({ id }) => id === result.parent_id);
        expect({ args: String(result.output).split('.').map(Number) }).toEqual(call?.input);
      }
    }
  }, 120_000);
});

describe('the parent of a call', () => {
  const leaf = traceTool('leaf', (name: string) => name);

  it('B161 is right across Promise.all, timers, immediates and microtasks', async () => {
    const branch = traceTool('branch', async (name: string) => {
      await sleep(name.length);
      leaf(name);
      await new Promise<void>((resolve) =>
        setImmediate(() => {
          queueMicrotask(() => {
            leaf(name);
            resolve();
          });
        }),
      );
    });
    await record('agent', { output: path() }, () => Promise.all(['a', 'bbb', 'cc'].map((name) => branch(name))));
    const trace = loadSound(path());
    const calls = eventsOf(trace, 'tool_call');
    for (const call of calls.filter(({ name }) => name === 'leaf')) {
      expect(calls.find(({ id }) => id === call.parent_id)?.input).toEqual(call.input);
    }
    expect(calls).toHaveLength(9);
  });

  it('is right in a listener that was bound with AsyncResource', async () => {
    const emitter = new EventEmitter();
    const subscribe = traceTool('subscribe', (name: string) => {
      emitter.on(
        'go',
        AsyncResource.bind(() => leaf(name)),
      );
    });
    await record('agent', { output: path() }, () => {
      subscribe('a');
      emitter.emit('go');
    });
    expect(outline(loadSound(path()))).toEqual([
      '0 run_start',
      '1 tool_call subscribe < 0',
      '2 tool_result subscribe < 1',
      '3 tool_call leaf < 1',
      '4 tool_result leaf < 3',
      '5 run_end',
    ]);
  });

  it('is the run where a call came without a context, and the call is marked as adopted', async () => {
    const emitter = new EventEmitter();
    const outside = new Promise<void>((resolve) => {
      emitter.once('go', () => resolve());
    }).then(() => leaf('x'));
    const nested = traceTool('nested', async () => leaf('y'));
    const alsoOutside = outside.then(() => nested());
    await record('agent', { output: path() }, async () => {
      emitter.emit('go');
      await alsoOutside;
    });
    const trace = loadSound(path());
    expect(outline(trace)).toEqual([
      '0 run_start',
      '1 tool_call leaf < 0',
      '2 tool_result leaf < 1',
      '3 tool_call nested < 0',
      '4 tool_call leaf < 3',
      '5 tool_result leaf < 4',
      '6 tool_result nested < 3',
      '7 run_end',
    ]);
    const adopted = trace.runtime.flatMap((entry) => (entry.type === 'adopted' ? [entry.call_id] : []));
    expect(adopted).toEqual([trace.events[1]?.id, trace.events[3]?.id]);
  });
});

describe('a call after the end of its run', () => {
  it('runs, unrecorded, with one warning', async () => {
    const late = traceTool('late', (value: number) => value);
    let after: Promise<number[]> | undefined;
    await record('agent', { output: path() }, () => {
      after = sleep(5).then(() => [late(1), late(2)]);
    });
    expect(await after).toEqual([1, 2]);
    expect(outline(loadSound(path()))).toEqual(['0 run_start', '1 run_end']);
    expect(await warnings('run_ended')).toHaveLength(1);
  });

  it('starts a run of its own where it is an agent', async () => {
    let after: Promise<unknown> | undefined;
    await record('first', { output: path('first') }, () => {
      after = sleep(5).then(() => record('second', { output: path('second') }, () => 2));
    });
    expect(await after).toBe(2);
    expect(loadSound(path('second')).agent_name).toBe('second');
  });
});
