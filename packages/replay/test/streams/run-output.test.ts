import { Readable } from 'node:stream';
import { record, traceAgent, traceTool } from '@stepfork/recorder';
import { isThere, loadTrace } from '@stepfork/trace-format';
import { describe, expect, it, vi } from 'vitest';
import { assertReplay, type ReplayReport, replay } from '../../src/index.js';
import { bundlePath, sleep } from '../recording.js';

let bodies = 0;
const lookUp = traceTool('look up', async (word: string) => {
  bodies++;
  await sleep(2);
  return word.toUpperCase();
});
const letters = traceTool('letters', async function* (word: string) {
  bodies++;
  for (const letter of word) {
    await sleep(1);
    yield letter;
  }
});

async function* answer(words: readonly string[]): AsyncGenerator<string> {
  try {
    for (const word of words) yield await lookUp(word);
  } finally {
    await lookUp('bye');
  }
}

type Streaming = (...args: never[]) => AsyncIterable<unknown> | Iterable<unknown>;

/** Reads an agent's stream, of it no more than `most`, and gives the bundle. */
async function recorded<F extends Streaming>(
  agent: F,
  args: Parameters<F>,
  most = 99,
): Promise<{ path: string; traced: F }> {
  const output = bundlePath();
  const traced = traceAgent({ name: 'agent', output, overwrite: true }, agent);
  let count = 0;
  try {
    for await (const chunk of traced(...args)) if (chunk !== undefined && ++count >= most) break;
  } catch {
    // In the recording.
  }
  // What cleans up after a Node stream may call on when its reader has gone.
  await vi.waitUntil(() => isThere(output));
  return { path: output, traced };
}

/** Replays, sure that no body ran. */
async function frozen(path: string, entrypoint: Streaming, options = {}): Promise<ReplayReport> {
  const before = bodies;
  const report = await replay(path, entrypoint, options);
  expect(bodies).toBe(before);
  return report;
}

describe('replay of a run whose agent answers with a stream', () => {
  it.each<readonly [string, Streaming]>([
    ['an async generator', answer],
    ['a web stream', (words: string[]) => ReadableStream.from(answer(words)) as unknown as AsyncIterable<string>],
    ['a Node stream', (words: string[]) => Readable.from(answer(words))],
    ['an async iterable', (words: string[]) => ({ [Symbol.asyncIterator]: () => answer(words) })],
    ['the stream of a tool', (words: string[]) => letters(words.join('-'))],
  ])('reads %s, to its end or as far as it was read', async (_, agent) => {
    for (const most of [99, 2, 1]) {
      const { path, traced } = await recorded(agent, [['ab', 'cd', 'ef']] as never, most);
      for (const entrypoint of [traced, agent]) {
        const report = await frozen(path, entrypoint);
        expect([most, report.verdict, report.divergence]).toEqual([most, 'matched', null]);
      }
    }
  });

  it('reads again what fails, and what returns', async () => {
    const failing = await recorded(async function* () {
      yield await lookUp('a');
      throw new RangeError('no more');
    }, []);
    expect((await frozen(failing.path, failing.traced)).verdict).toBe('reproduced-failure');
    const returning = await recorded(function* () {
      yield 'searching';
      return { booked: 'UA 12' };
    }, []);
    const report = await frozen(returning.path, returning.traced);
    expect([report.verdict, report.output]).toEqual(['matched', { booked: 'UA 12' }]);
  });

  it('sends what was sent', async () => {
    const output = bundlePath();
    const agent = traceAgent({ name: 'agent', output, overwrite: true }, async function* (): AsyncGenerator<
      string,
      string,
      string
    > {
      const name = yield 'name?';
      return await lookUp(name);
    });
    const talk = agent();
    await talk.next();
    await talk.next('ada');
    const report = await frozen(output, agent as Streaming);
    expect([report.verdict, report.output]).toEqual(['matched', 'ADA']);
  });

  it('tells of an answer that changed, and of calls that did', async () => {
    const { path } = await recorded(answer, [['ab', 'cd']]);
    const shouts = await frozen(path, async function* (words: string[]) {
      for await (const chunk of answer(words)) yield `${chunk}!`;
    });
    expect([shouts.verdict, shouts.output]).toMatchObject(['output-changed', 'AB!CD!']);
    expect(() => assertReplay(shouts)).toThrow('recorded');
    const asks = await frozen(path, async function* (words: string[]) {
      yield await lookUp(words.join());
    });
    expect(asks.verdict).toBe('diverged');
  });

  it('leaves a stream alone that the recorded agent did not give', async () => {
    const output = bundlePath();
    await record('agent', { output }, async () => 'done');
    let asked = false;
    const report = await frozen(output, () => ({
      [Symbol.asyncIterator]() {
        asked = true;
        return answer([]);
      },
    }));
    expect([report.verdict, asked]).toEqual(['output-changed', false]);
  });

  it('records a candidate that says how far it was read', async () => {
    const { path, traced } = await recorded(answer, [['ab', 'cd', 'ef']], 2);
    const candidate = bundlePath();
    await frozen(path, traced, { record: candidate });
    const outputs = [path, candidate].map((bundle) =>
      loadTrace(bundle).runtime.filter(({ type }) => type === 'output'),
    );
    expect(outputs[1]).toEqual(outputs[0]);
    expect((await frozen(candidate, traced)).verdict).toBe('matched');
  });
});
