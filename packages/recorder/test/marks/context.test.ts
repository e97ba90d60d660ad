import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { EventEmitter, on } from 'node:events';
import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import type { Trace } from '@stepfork/trace-format';
import Bottleneck from 'bottleneck';
import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import PQueue from 'p-queue';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const path = (name = 'run'): string => join(directory(), `${name}.sftrace`);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const leaf = traceTool('leaf', async (name: string) => {
  await sleep(1);
  return name;
});
const NAMES = ['a', 'b', 'c', 'd'];

/** Each call of `leaf`, under the name of what its parent was called with: `a < a`. */
function families(trace: Trace): string[] {
  const calls = eventsOf(trace, 'tool_call');
  const nameOf = (id: string | null): string => {
    const call = calls.find((each) => each.id === id);
    return call === undefined ? 'run' : String((call.input as { args: unknown[] }).args[0]);
  };
  return calls.filter(({ name }) => name === 'leaf').map((call) => `${nameOf(call.id)} < ${nameOf(call.parent_id)}`);
}

/** Ids of the calls that a kind of mark is put on. */
function marked(trace: Trace, type: 'adopted' | 'detached'): string[] {
  return trace.runtime.flatMap((entry) => (entry.type === type ? [entry.call_id] : []));
}

/** Records a run in which four tools at once each call `leaf` by way of `through`. */
async function recordThrough(through: (name: string) => Promise<unknown>): Promise<Trace> {
  const branch = traceTool('branch', async (name: string) => {
    await sleep(NAMES.indexOf(name));
    return through(name);
  });
  const found = await record('agent', { output: path() }, () => Promise.all(NAMES.map((name) => branch(name))));
  expect(found).toEqual(NAMES);
  return loadSound(path());
}

const OWN = NAMES.map((name) => `${name} < ${name}`);

describe('a parent is the call whose body is running', () => {
  it.each<[string, (name: string) => Promise<unknown>]>([
    ['Promise.all', async (name) => (await Promise.all([leaf(name), null]))[0]],
    ['timers', (name) => new Promise((resolve) => setTimeout(() => resolve(leaf(name)), 1))],
    ['an interval', (name) => every(name)],
    [
      'immediates and ticks',
      (name) => new Promise((done) => setImmediate(() => process.nextTick(() => done(leaf(name))))),
    ],
    [
      'p-limit, also where its queue is shared',
      (
        (limit) => (name: string) =>
          limit(() => leaf(name))
      )(pLimit(1)),
    ],
    ['an async generator', async (name) => (await generated(name).next()).value],
    ['a snapshot of the context', async (name) => AsyncLocalStorage.snapshot()(() => leaf(name))],
    ['an async local storage of its own', (name) => new AsyncLocalStorage<string>().run(name, () => leaf(name))],
  ])('across %s', async (_how, through) => {
    const trace = await recordThrough(through);
    expect(families(trace).sort()).toEqual(OWN);
    expect([...marked(trace, 'adopted'), ...marked(trace, 'detached')]).toEqual([]);
  });

  it('across an emitter whose listener was bound with AsyncResource', async () => {
    const emitter = new EventEmitter();
    const trace = await recordThrough(
      (name) =>
        new Promise((resolve) => {
          const answer = AsyncResource.bind(() => resolve(leaf(name)));
          emitter.on('go', answer);
          if (emitter.listenerCount('go') === NAMES.length) emitter.emit('go');
        }),
    );
    expect(families(trace).sort()).toEqual(OWN);
  });

  it('down a chain of tools, each called by the one above', async () => {
    const middle = traceTool('middle', async (name: string) => leaf(name));
    const trace = await recordThrough((name) => middle(name));
    const calls = eventsOf(trace, 'tool_call');
    for (const call of calls.filter(({ name }) => name === 'leaf')) {
      const parent = calls.find(({ id }) => id === call.parent_id);
      const grandparent = calls.find(({ id }) => id === parent?.parent_id);
      expect([parent?.name, grandparent?.name]).toEqual(['middle', 'branch']);
      expect([parent?.input, grandparent?.input]).toEqual([call.input, call.input]);
    }
  });

  it('of an async generator that is consumed elsewhere: that of the consumer, in whose context its body runs', async () => {
    const produce = traceTool('produce', async (name: string) => ({ items: generated(name) }));
    const consume = traceTool('consume', async (_name: string, given: { items: AsyncGenerator<string> }) => {
      for await (const item of given.items) return item;
      return null;
    });
    await record('agent', { output: path() }, async () => consume('consumer', await produce('producer')));
    expect(families(loadSound(path()))).toEqual(['producer < consumer']);
  });
});

/** A tool's name by way of an interval's second round. */
function every(name: string): Promise<unknown> {
  return new Promise((resolve) => {
    let rounds = 0;
    const timer = setInterval(() => {
      if (++rounds < 2) return;
      clearInterval(timer);
      resolve(leaf(name));
    }, 1);
  });
}

async function* generated(name: string): AsyncGenerator<string> {
  yield await leaf(name);
}

describe('a queue that runs one task in the context of another', () => {
  /** One `leaf` for each name, all recorded, each under some call of the run: what is true is where it ran. */
  function expectAllRecorded(trace: Trace): void {
    expect(
      families(trace)
        .map((family) => family[0])
        .sort(),
    ).toEqual(NAMES);
    expect(trace.status).toBe('completed');
  }

  it('p-queue: each call is recorded where it ran, and marked where that call had been answered', async () => {
    const queue = new PQueue({ concurrency: 1 });
    const trace = await recordThrough((name) => queue.add(() => leaf(name)) as Promise<unknown>);
    expectAllRecorded(trace);
    expectMarksWhereAnswered(trace);
  });

  it('bottleneck: likewise', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 1 });
    const trace = await recordThrough((name) => limiter.schedule(() => leaf(name)));
    expectAllRecorded(trace);
    expectMarksWhereAnswered(trace);
  });

  it('DataLoader: one batch for all, in the context of the first that asked', async () => {
    const batch = traceTool('batch', async (names: readonly string[]) => [...names]);
    const loader = new DataLoader<string, string>((names) => batch([...names]));
    const ask = traceTool('ask', (name: string) => loader.load(name));
    await record('agent', { output: path() }, () => Promise.all(NAMES.map((name) => ask(name))));
    const calls = eventsOf(loadSound(path()), 'tool_call');
    const [only, ...others] = calls.filter(({ name }) => name === 'batch');
    expect(others).toEqual([]);
    expect(only?.input).toEqual({ args: [NAMES] });
    expect(calls.find(({ id }) => id === only?.parent_id)?.input).toEqual({ args: ['a'] });
  });

  it('work that a tool left behind is under the tool, and marked', async () => {
    let left: Promise<unknown> = Promise.resolve();
    const leave = traceTool('leave', (_name: string) => {
      left = sleep(1).then(() => leaf('late'));
    });
    await record('agent', { output: path() }, async () => {
      leave('leaver');
      await left;
    });
    const trace = loadSound(path());
    expect(families(trace)).toEqual(['late < leaver']);
    expect(marked(trace, 'detached')).toEqual([eventsOf(trace, 'tool_call')[1]?.id]);
  });

  /** A call is marked as detached exactly where its parent had its result before. */
  function expectMarksWhereAnswered(trace: Trace): void {
    const late = eventsOf(trace, 'tool_call').filter((call) =>
      trace.events.some(
        (event) => event.type === 'tool_result' && event.parent_id === call.parent_id && event.step < call.step,
      ),
    );
    expect(late.length).toBeGreaterThan(0);
    expect(marked(trace, 'detached')).toEqual(late.map(({ id }) => id));
  }
});

describe('documented limits', () => {
  it('an async iterator over events runs in the context of who asks, so that its calls are the asking call’s', async () => {
    const emitter = new EventEmitter();
    const ask = traceTool('ask', async (_name: string) => {
      for await (const [name] of on(emitter, 'go')) return leaf(String(name));
      return null;
    });
    const emit = traceTool('emit', async (name: string) => emitter.emit('go', name));
    await record('agent', { output: path() }, async () => {
      const asked = ask('asker');
      await emit('emitter');
      await asked;
    });
    expect(families(loadSound(path()))).toEqual(['emitter < asker']);
  });

  it('an unbound listener runs in the context of who emits', async () => {
    const emitter = new EventEmitter();
    const subscribe = traceTool('subscribe', (_name: string) => {
      emitter.on('go', () => leaf('heard'));
    });
    const emit = traceTool('emit', async (_name: string) => emitter.emit('go'));
    await record('agent', { output: path() }, async () => {
      subscribe('subscriber');
      await emit('emitter');
      await sleep(5);
    });
    expect(families(loadSound(path()))).toEqual(['heard < emitter']);
  });

  it('a queue that two runs share records the tasks of one in the other, or in none', async () => {
    const queue = new PQueue({ concurrency: 1 });
    const run = (name: string): Promise<unknown> =>
      record(name, { output: path(name) }, () => Promise.all([1, 2].map((n) => queue.add(() => leaf(`${name}${n}`)))));
    await Promise.all([run('a'), run('b')]);
    const recorded = ['a', 'b'].map((name) => eventsOf(loadSound(path(name)), 'tool_call').map(({ input }) => input));
    // The queue was started by run a, in whose context all of it runs; the last task came when that run was over.
    expect(recorded).toEqual([['a1', 'a2', 'b1'].map((name) => ({ args: [name] })), []]);
    expect(await warnings('run_ended')).toHaveLength(1);
  });
});

describe('a call without any context', () => {
  it('runs unrecorded while several runs record, with one warning that names the tool and the way out', async () => {
    const emitter = new EventEmitter();
    const unbound = traceTool('unbound', async (n: number) => n);
    const outside = new Promise<void>((resolve) => emitter.once('go', () => resolve())).then(async () => [
      await unbound(1),
      await unbound(2),
    ]);
    const both = [
      record('one', { output: path('one') }, () => outside),
      record('two', { output: path('two') }, () => outside),
    ];
    emitter.emit('go');
    expect(await Promise.all(both)).toEqual([
      [1, 2],
      [1, 2],
    ]);
    for (const name of ['one', 'two']) expect(eventsOf(loadSound(path(name)), 'tool_call')).toEqual([]);
    const lost = await warnings('context_lost');
    expect(lost).toHaveLength(1);
    expect(lost[0]).toContain("tool 'unbound'");
    expect(lost[0]).toContain('AsyncResource.bind()');
  });
});
