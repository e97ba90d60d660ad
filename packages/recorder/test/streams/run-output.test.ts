import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { record, traceAgent, traceTool } from '@stepfork/recorder';
import type { Trace } from '@stepfork/trace-format';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');
const runProgram = programs(fileURLToPath(new URL('./programs', import.meta.url)));
const double = traceTool('double', async (n: number) => n * 2);

/** A traced agent of this test's own bundle. */
const traced = <F extends (...args: never[]) => unknown>(agent: F): F =>
  traceAgent({ name: 'agent', output: path() }, agent);
const outputOf = (trace: Trace): unknown => eventsOf(trace, 'run_end')[0]?.output;
const takenOf = (trace: Trace): unknown => {
  const { type, ...taken } = trace.runtime.find((each) => each.type === 'output') ?? { type: 'none' };
  return { type, ...taken };
};

async function* answer(words: readonly string[]): AsyncGenerator<string> {
  for (const word of words) {
    await double(word.length);
    yield word;
  }
}
async function read<T>(stream: AsyncIterable<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const chunks: T[] = [];
  for await (const chunk of stream) if (chunks.push(chunk) >= most) break;
  return chunks;
}

describe('a run whose agent answers with a stream', () => {
  it('goes on until that is read, and comes to what was read', async () => {
    const agent = traced(answer);
    expectTypeOf(agent).toEqualTypeOf<typeof answer>();
    expect(await read(agent(['It ', 'shipped', '.']))).toEqual(['It ', 'shipped', '.']);
    const trace = loadSound(path());
    expect(outline(trace).slice(1)).toEqual([
      '1 tool_call double < 0',
      '2 tool_result double < 1',
      '3 tool_call double < 0',
      '4 tool_result double < 3',
      '5 tool_call double < 0',
      '6 tool_result double < 5',
      '7 run_end',
    ]);
    expect(outputOf(trace)).toBe('It shipped.');
    expect(takenOf(trace)).toEqual({ type: 'output', kind: 'async-generator', chunks: 3, end: 'complete' });
  });

  it.each<readonly [string, () => Iterable<unknown> | AsyncIterable<unknown>, unknown]>([
    ['texts', () => Readable.from(['a', 'b']), 'ab'],
    [
      'bytes',
      () => Readable.from([Buffer.from('a'), Buffer.from('b')]),
      { $stepfork: 'bytes', kind: 'Buffer', base64: 'YWI=' },
    ],
    [
      'bytes of a web stream',
      () => new Response('ab').body as AsyncIterable<unknown> & object,
      { $stepfork: 'bytes', kind: 'Buffer', base64: 'YWI=' },
    ],
    ['values', () => Readable.from([{ n: 1 }, { n: 2 }]), [{ n: 1 }, { n: 2 }]],
    ['a text among values', () => Readable.from([{ n: 1 }, 'b']), [{ n: 1 }, 'b']],
    ['an iterable', () => ({ [Symbol.asyncIterator]: () => answer(['a']) }), 'a'],
    ['a generator', () => [1, 2].values(), [1, 2]],
    ['nothing', () => Readable.from([]), { $stepfork: 'undefined' }],
  ])('comes to %s as one value', async (_, agent, expected) => {
    for await (const chunk of traced(agent)()) void chunk;
    const trace = loadSound(path());
    expect(trace.status).toBe('completed');
    expect(outputOf(trace)).toEqual(expected);
  });

  it('comes to what its generator returns, where that is anything', async () => {
    const agent = traced(async function* () {
      yield 'searching';
      return { booked: 'UA 12' };
    });
    await read(agent());
    expect(outputOf(loadSound(path()))).toEqual({ booked: 'UA 12' });
  });

  it('comes to what was set, where that was set', async () => {
    const chunks = await record('agent', { output: path() }, async function* (session) {
      yield 1;
      session.setOutput('two');
      yield 3;
    });
    expect(await read(chunks)).toEqual([1, 3]);
    expect(outputOf(loadSound(path()))).toBe('two');
  });

  it('keeps chunks as they were given', async () => {
    const agent = traced(async function* () {
      const so = { far: '' };
      for (const text of ['a', 'b']) {
        so.far += text;
        yield so;
      }
    });
    await read(agent());
    expect(outputOf(loadSound(path()))).toEqual([{ far: 'a' }, { far: 'ab' }]);
  });

  it('ends where its consumer stops, having cleaned up', async () => {
    const agent = traced(async function* () {
      try {
        yield* answer(['a', 'b', 'c']);
      } finally {
        await double(100);
      }
    });
    expect(await read(agent(), 2)).toEqual(['a', 'b']);
    const trace = loadSound(path());
    expect(eventsOf(trace, 'tool_call').map(({ input }) => input)).toEqual([1, 1, 100].map((n) => ({ args: [n] })));
    expect(outputOf(trace)).toBe('ab');
    expect(takenOf(trace)).toMatchObject({ chunks: 2, end: 'cancelled' });
  });

  it('fails with the error that its stream ends in', async () => {
    const agent = traced(async function* () {
      yield 1;
      throw new RangeError('no more');
    });
    await expect(read(agent())).rejects.toThrow('no more');
    const trace = loadSound(path());
    expect([trace.status, trace.failure?.type]).toEqual(['failed', 'RangeError']);
    expect(takenOf(trace)).toMatchObject({ chunks: 1, end: 'error' });
  });

  it('notes what its consumer sends', async () => {
    const agent = traced(function* (): Generator<string, string, string> {
      const name = yield 'name?';
      const word = yield `password, ${name}?`;
      return `${name} knows ${word.length} letters`;
    });
    const talk = agent();
    talk.next();
    talk.next('Ada');
    talk.next('swordfish');
    const trace = loadSound(path());
    expect(outputOf(trace)).toBe('Ada knows 9 letters');
    expect(takenOf(trace)).toMatchObject({
      sent: [
        { index: 1, value: 'Ada' },
        { index: 2, value: 'swordfish' },
      ],
    });
  });

  it('is one run with the stream of a tool that it passes on', async () => {
    const tool = traceTool('words', () => answer(['a', 'b']));
    expect(await read(traced(() => tool())())).toEqual(['a', 'b']);
    const trace = loadSound(path());
    expect(outline(trace).slice(-2)).toEqual(['6 tool_result words < 1', '7 run_end']);
    expect(outputOf(trace)).toBe('ab');
  });

  it('has no part in what its consumer does', async () => {
    const agent = traced(() => Readable.from(['a', 'b']));
    await new Promise<void>((resolve) => {
      agent()
        .on('data', () => void double(7))
        .on('end', resolve);
    });
    // Adopted, as every call without a context is while one run records; but no part of the stream.
    const trace = loadSound(path());
    const adopted = trace.runtime.filter(({ type }) => type === 'adopted');
    expect(adopted).toHaveLength(eventsOf(trace, 'tool_call').length);
  });

  it('holds the calls of its own stream among others that are read at the same time', async () => {
    const made = ['a', 'b', 'c'].map((name) => {
      const output = join(directory(), `${name}.sftrace`);
      return { output, name, stream: traceAgent({ name, output }, answer)([name, name, name]) };
    });
    await Promise.all(made.map(({ stream }) => read(stream)));
    for (const { output, name } of made) {
      const trace = loadSound(output);
      expect(eventsOf(trace, 'tool_call')).toHaveLength(3);
      expect(outputOf(trace)).toBe(name.repeat(3));
    }
  });

  it('is over when nobody can read its stream any more', async () => {
    const { code, stdout, stderr } = await runProgram('dropped-output', { args: [path()], node: ['--expose-gc'] });
    expect([code, stdout, stderr]).toEqual([0, 'completed\n', '']);
    expect(takenOf(loadSound(path()))).toMatchObject({ chunks: 1, end: 'open' });
  });

  it('completed when the process ends well before its stream does, and failed when it ends badly', async () => {
    const ends = async (exitCode: number): Promise<Trace> => {
      const output = join(directory(), `${exitCode}.sftrace`);
      const { code } = await runProgram('unread-output', { args: [output, String(exitCode)] });
      expect(code).toBe(exitCode);
      return loadSound(output);
    };
    const well = await ends(0);
    expect([well.status, outputOf(well)]).toEqual(['completed', 'chunk 0']);
    expect((await ends(3)).failure?.type).toBe('ProcessExit');
  });
});
