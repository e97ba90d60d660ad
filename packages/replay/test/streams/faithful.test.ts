import { record, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { type ReplayReport, replay } from '../../src/index.js';
import { bundlePath } from '../recording.js';

async function replayed(agent: () => unknown, changed = agent): Promise<ReplayReport> {
  const output = bundlePath();
  await record('agent', { output }, async () => agent());
  return replay(output, () => record('agent', async () => changed()));
}

const LARGE = 20_000;

describe('a stream is replayed as it was', () => {
  it('with a member of more bytes than stand in a bundle', async () => {
    const tool = traceTool('big member', () => ({
      big: Buffer.alloc(LARGE, 3),
      async *[Symbol.asyncIterator]() {
        yield 1;
      },
    }));
    const report = await replayed(async () => {
      const stream = tool();
      for await (const _ of stream);
      return stream.big[9];
    });
    expect(report).toMatchObject({ verdict: 'matched', output: 3 });
  });

  it('with more bytes sent to it than stand in a bundle', async () => {
    const ask = traceTool('ask', function* (): Generator<string, void, { file: Buffer }> {
      const { file } = yield 'file?';
      yield `size ${file.length}`;
    });
    const agent = (size: number) => (): unknown => {
      const talk = ask();
      talk.next();
      return talk.next({ file: Buffer.alloc(size) }).value;
    };
    expect(await replayed(agent(LARGE))).toMatchObject({ verdict: 'matched' });
    expect(await replayed(agent(LARGE), agent(LARGE + 1))).toMatchObject({ divergence: { code: 'input_changed' } });
  });

  it.each([5, 'text', { amount: 5 }])('with what was sent for its end: %j', async (amount) => {
    const talk = traceTool('talk', function* (): Generator<string, string, unknown> {
      const given = yield 'amount?';
      return `charged ${JSON.stringify(given)}`;
    });
    const agent = (sent: unknown) => (): unknown => {
      const steps = talk();
      steps.next();
      return steps.next(sent).value;
    };
    expect(await replayed(agent(amount))).toMatchObject({ verdict: 'matched' });
    expect(await replayed(agent(amount), agent(5000))).toMatchObject({ divergence: { code: 'input_changed' } });
    expect(await replayed(agent(undefined), agent(amount))).toMatchObject({ divergence: { code: 'input_changed' } });
  });
});

describe('the order of generators', () => {
  const letters = traceTool('letters', function* (from: string) {
    yield `${from}1`;
    yield `${from}2`;
  });
  const plain = traceTool('plain', async (n: number) => n);

  it('is that of the recording where nothing else goes on', async () => {
    const both = (first: string, second: string) => (): unknown => [[...letters(first)], [...letters(second)]];
    expect(await replayed(both('a', 'b'))).toMatchObject({ verdict: 'matched' });
    expect(await replayed(both('a', 'b'), both('b', 'a'))).toMatchObject({ divergence: { code: 'reordered' } });
  });

  it('is that of the recording beside other calls', async () => {
    const after = async (): Promise<unknown> => [await plain(1), [...letters('a')]];
    const before = async (): Promise<unknown> => {
      const read = [...letters('a')];
      return [await plain(1), read];
    };
    expect(await replayed(after)).toMatchObject({ verdict: 'matched' });
    expect(await replayed(after, before)).toMatchObject({ divergence: { code: 'reordered' } });
  });
});
