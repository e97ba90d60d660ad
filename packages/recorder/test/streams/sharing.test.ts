import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { record, traceTool } from '@stepfork/recorder';
import type { Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { loadSound, outline, ownDirectory } from '../support/bundles.js';
import { streamOutcome, streamRecords } from '../support/stream-records.js';
import { SUBJECTS } from '../support/stream-subjects.js';

const directory = ownDirectory();
const ALL = { chunks: [1, 2], fails: false };
const NEVER = Number.POSITIVE_INFINITY;

async function recorded(agent: () => unknown): Promise<Trace> {
  const output = join(directory(), 'run.sftrace');
  await record('agent', { output }, agent);
  return loadSound(output);
}

describe.each(SUBJECTS)('$name', (subject) => {
  it('is recorded for each of the calls that it answered, and given once', async () => {
    const inner = traceTool('inner', () => subject.make(ALL, []));
    const outer = traceTool('outer', () => inner());
    const trace = await recorded(async () => {
      const { chunks } = await subject.consume(outer() as never, NEVER);
      expect(chunks).toEqual([1, 2]);
    });
    expect(outline(trace)).toEqual([
      '0 run_start',
      '1 tool_call outer < 0',
      '2 tool_call inner < 1',
      '3 tool_result inner < 2',
      '4 tool_result outer < 1',
      '5 run_end',
    ]);
    for (const position of [1, 2]) expect(streamRecords(trace, trace.events[position]?.id).chunks).toHaveLength(2);
    for (const position of [3, 4]) expect(streamOutcome(trace, position).end).toBe('complete');
  });

  it('is the same object each time that it is given', async () => {
    const made = subject.make(ALL, []);
    const tool = traceTool('cached', () => made);
    const trace = await recorded(async () => {
      const first = tool();
      expect(tool()).toBe(first);
      await subject.consume(first as never, NEVER);
    });
    expect(outline(trace)).toEqual([
      '0 run_start',
      '1 tool_call cached < 0',
      '2 tool_call cached < 0',
      '3 tool_result cached < 1',
      '4 tool_result cached < 2',
      '5 run_end',
    ]);
    const [first, second] = [3, 4].map((position) => streamOutcome(trace, position));
    expect(first).toEqual(second);
  });
});

describe('a stream that is over before it is given', () => {
  it.each(SUBJECTS.filter(({ stopsSilently }) => !stopsSilently))(
    'has an outcome all the same: $name',
    async (subject) => {
      for (const plan of [ALL, { ...ALL, fails: true }]) {
        const again = traceTool('again', () => made);
        const first = traceTool('first', () => subject.make(plan, []));
        let made: unknown;
        const output = join(directory(), `${plan.fails}.sftrace`);
        await record('agent', { output }, async () => {
          made = first();
          await subject.consume(made as never, NEVER);
          const second = again();
          // The others say that they are over to nobody who reads as this consumer does.
          if (/generator|iterable/.test(subject.kind)) await subject.consume(second as never, NEVER);
          await new Promise((resolve) => setImmediate(resolve));
        });
        const trace = loadSound(output);
        const call = trace.events.findIndex((event) => event.type === 'tool_call' && event.name === 'again');
        expect(trace.events[call + 1]).toMatchObject({ type: 'tool_result', name: 'again' });
      }
    },
  );

  it('is so where nobody watched it before', async () => {
    const ended = Readable.from([1]);
    for await (const _chunk of ended);
    const failed = new Readable({ read() {} });
    failed.on('error', () => {});
    failed.destroy(new RangeError('no more'));
    await new Promise((resolve) => failed.on('close', resolve));
    const tool = traceTool('over', (stream: Readable) => stream);
    const trace = await recorded(async () => {
      tool(ended);
      tool(failed);
      await null;
    });
    expect(trace.events.slice(3, 6)).toMatchObject([
      { type: 'tool_result', status: 'ok', output: { end: 'complete', chunks: [] } },
      { type: 'tool_result', status: 'error' },
      { type: 'error', error_type: 'RangeError' },
    ]);
  });
});

describe('the body of a stream', () => {
  const leaf = traceTool('leaf', (from: string) => from);
  const lines = (trace: Trace): string[] => outline(trace).filter((line) => line.includes('tool_call'));

  it('is a part of its call wherever it is consumed, and its consumer is not', async () => {
    const source = traceTool('source', async function* () {
      leaf('body 1');
      yield 1;
      await null;
      leaf('body 2');
      yield 2;
    });
    const sink = traceTool('sink', async (stream: AsyncIterable<number>) => {
      for await (const chunk of stream) leaf(`sink ${chunk}`);
    });
    const trace = await recorded(async () => {
      const stream = source();
      leaf('agent');
      await sink(stream);
    });
    expect(lines(trace)).toEqual([
      '1 tool_call source < 0',
      '2 tool_call leaf < 0',
      '4 tool_call sink < 0',
      '5 tool_call leaf < 1',
      '7 tool_call leaf < 4',
      '9 tool_call leaf < 1',
      '11 tool_call leaf < 4',
    ]);
  });

  it('is so without any context too, and a generator in a tool of another run', async () => {
    const source = traceTool('source', function* () {
      leaf('body');
      yield 1;
    });
    const outside = AsyncLocalStorage.snapshot();
    const other = join(directory(), 'other.sftrace');
    const trace = await recorded(async () => {
      const [first, second] = [source(), source()];
      outside(() => first.next());
      await new Promise((done) => outside(() => done(record('other', { output: other }, () => second.next()))));
    });
    expect(lines(trace)).toEqual([
      '1 tool_call source < 0',
      '2 tool_call source < 0',
      '3 tool_call leaf < 1',
      '5 tool_call leaf < 2',
    ]);
    expect(outline(loadSound(other))).toEqual(['0 run_start', '1 run_end']);
  });

  it('is a part of its call where it is pulled by a web stream or a Node stream', async () => {
    const web = traceTool(
      'web',
      () =>
        new ReadableStream<number>(
          {
            pull(to) {
              leaf('body');
              to.enqueue(1);
              to.close();
            },
          },
          { highWaterMark: 0 },
        ),
    );
    const node = traceTool(
      'node',
      () =>
        new Readable({
          objectMode: true,
          read() {
            leaf('body');
            this.push(1);
            this.push(null);
          },
        }),
    );
    const trace = await recorded(async () => {
      for await (const chunk of web()) leaf(`agent ${chunk}`);
      for await (const chunk of node()) leaf(`agent ${chunk}`);
    });
    expect(lines(trace)).toEqual([
      '1 tool_call web < 0',
      '2 tool_call leaf < 1',
      '4 tool_call leaf < 0',
      '7 tool_call node < 0',
      '8 tool_call leaf < 7',
      '10 tool_call leaf < 0',
    ]);
  });

  it('does not take the listeners of its consumer along', async () => {
    const node = traceTool('node', () => {
      const stream = new Readable({ objectMode: true, read() {} });
      setImmediate(() => {
        leaf('body');
        stream.push(1);
        stream.push(null);
      });
      return stream;
    });
    const trace = await recorded(
      () =>
        new Promise((resolve) => {
          node()
            .on('data', () => leaf('agent'))
            .on('end', resolve);
        }),
    );
    expect(lines(trace)).toEqual(['1 tool_call node < 0', '2 tool_call leaf < 1', '4 tool_call leaf < 0']);
  });
});
