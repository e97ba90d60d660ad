import { Readable } from 'node:stream';
import { record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { bundlePath, sleep } from '../recording.js';

async function* texts(): AsyncGenerator<string> {
  for (let i = 0; i < 5; i++) {
    await sleep(1);
    yield `chunk ${i}`;
  }
}
const web = (): ReadableStream<string> => {
  const source = texts();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
};

const tools = {
  generator: traceTool('generator', function* () {
    for (let i = 0; i < 5; i++) yield `chunk ${i}`;
  }),
  asyncGenerator: traceTool('async generator', texts),
  iterable: traceTool('iterable', () => ({ [Symbol.asyncIterator]: () => texts() })),
  web: traceTool('web', web),
  node: traceTool('node', () => Readable.from(texts())),
  heldNode: traceTool('node at once', () => Readable.from(['chunk 0', 'chunk 1', 'chunk 2', 'chunk 3', 'chunk 4'])),
};

/** Reads by a loop and leaves it after `count` chunks. */
async function byLoop(stream: Iterable<string> | AsyncIterable<string>, count: number): Promise<string[]> {
  const got: string[] = [];
  for await (const chunk of stream) if (got.push(chunk) === count) break;
  return got;
}

async function byReader(stream: ReadableStream<string>, count: number): Promise<string[]> {
  const reader = stream.getReader();
  const got: string[] = [];
  while (got.length < count) got.push(String((await reader.read()).value));
  await reader.cancel('enough');
  return got;
}

function byListeners(stream: Readable, count: number): Promise<string[]> {
  const got: string[] = [];
  return new Promise((resolve) => {
    stream.on('data', (chunk: string) => {
      if (got.push(chunk) === count) stream.destroy();
    });
    stream.on('close', () => resolve(got));
  });
}

async function byRead(stream: Readable, count: number): Promise<string[]> {
  const got: string[] = [];
  while (got.length < count) {
    const chunk: unknown = stream.read();
    if (chunk === null) await new Promise((resolve) => stream.once('readable', resolve));
    else got.push(String(chunk));
  }
  stream.destroy();
  return got;
}

type Reading = (count: number) => Promise<string[]>;
const readings: readonly (readonly [string, Reading])[] = [
  ['a generator by a loop', (count) => byLoop(tools.generator(), count)],
  ['an async generator by a loop', (count) => byLoop(tools.asyncGenerator(), count)],
  ['an async iterable by a loop', (count) => byLoop(tools.iterable(), count)],
  ['a web stream by a loop', (count) => byLoop(tools.web() as unknown as AsyncIterable<string>, count)],
  ['a web stream by a reader', (count) => byReader(tools.web(), count)],
  ['a Node stream by a loop', (count) => byLoop(tools.node(), count)],
  ['a Node stream by listeners', (count) => byListeners(tools.node(), count)],
  ['a Node stream by read()', (count) => byRead(tools.node(), count)],
  ['a Node stream that holds all by a loop', (count) => byLoop(tools.heldNode(), count)],
  ['a Node stream that holds all by listeners', (count) => byListeners(tools.heldNode(), count)],
];

describe('a stream that is stopped early', () => {
  it.each(readings.flatMap(([name, read]) => [1, 2, 4].map((count) => [name, count, read] as const)))(
    '%s, after %i chunks, replays as it was read',
    async (_name, count, read) => {
      const output = bundlePath();
      const got = await record('agent', { output }, () => read(count));
      const report = await replay(output, () => record('agent', () => read(count)));
      expect(report, JSON.stringify([report.divergence, report.output, got])).toMatchObject({ verdict: 'matched' });
      expect(report.output).toEqual(got);
    },
  );
});

describe('a stream that is given up before it is read', () => {
  /** Settles in as many turns of the promise queue, and says in which. */
  async function turnsOf(answer: Promise<unknown>): Promise<number> {
    let turns = 0;
    let isSettled = false;
    answer.then(() => {
      isSettled = true;
    });
    for (; !isSettled; turns++) await null;
    return turns;
  }

  it.each<[string, () => AsyncIterable<string>]>([
    ['an async generator', tools.asyncGenerator],
    ['an async iterable', tools.iterable],
  ])('%s says so in as many promise turns as it did', async (_name, tool) => {
    const giveUp = (): Promise<number> => turnsOf(tool()[Symbol.asyncIterator]().return?.() ?? Promise.reject());
    const output = bundlePath();
    const turns = await record('agent', { output }, giveUp);
    const report = await replay(output, () => record('agent', giveUp));
    expect(report).toMatchObject({ verdict: 'matched', output: turns });
  });
});
