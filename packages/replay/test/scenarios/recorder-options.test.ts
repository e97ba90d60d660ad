import { llmRequest, record, type Session, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { bundlePath } from '../recording.js';

const echo = traceTool('echo', async (text: string) => text);
const ask = async (prompt: string): Promise<string> =>
  llmRequest({ model: 'm', input: { prompt }, call: async () => `answer to ${prompt}` });

describe('a request that the agent told of by hand', () => {
  const agent = async (session: Session): Promise<string> => {
    const first = await ask('a');
    const told = session.llmCall({ model: 'm', input: { prompt: 'a' } });
    told.respond({ text: 'by hand' });
    session.llmCall({ model: 'm', input: { prompt: 'b' } }).fail(new Error('no'));
    return `${first}, ${await echo('end')}`;
  };

  it('is neither expected nor an answer to another', async () => {
    const output = bundlePath();
    await record('agent', { output }, agent);
    const same = await replay(output, () => record('agent', agent));
    expect(same).toMatchObject({ verdict: 'matched', counts: { recorded: 2, substituted: 2, executed: 0 } });
    const greedy = await replay(output, () =>
      record('agent', async (session) => `${await agent(session)}${await ask('b')}`),
    );
    expect(greedy).toMatchObject({ verdict: 'diverged', divergence: { code: 'unexpected_call' } });
  });

  it('is told under the same rules in a replay', async () => {
    const output = bundlePath();
    await record('agent', { output }, agent);
    const twice = await replay(output, () =>
      record('agent', async (session) => {
        const told = session.llmCall({ model: 'm', input: null });
        told.respond('once');
        told.respond('twice');
      }),
    );
    expect(twice.error?.message).toContain('told already');
  });
});

describe('a recording that was cut by its limits', () => {
  const large = 'x'.repeat(2_000);

  it('does not compare an input that it does not hold', async () => {
    const output = bundlePath();
    await record('agent', { output, limits: { payloadBytes: 1_000 } }, () => echo(large));
    const report = await replay(output, () => record('agent', () => echo(large)));
    expect(report).toMatchObject({ verdict: 'diverged', divergence: { code: 'unservable' } });
    expect(report.divergence?.message).toContain('limits.payloadBytes');
  });

  it('does not answer with an output or with chunks that it does not hold', async () => {
    const grow = traceTool('grow', async () => large);
    const pieces = async function* (): AsyncGenerator<string> {
      for (let i = 0; i < 20; i++) yield `${i} ${'y'.repeat(100)}`;
    };
    const stream = traceTool('stream', pieces);
    const readAll = async (): Promise<number> => {
      let count = 0;
      for await (const _ of stream()) count++;
      return count;
    };
    const agents: readonly (() => Promise<unknown>)[] = [() => grow(), readAll];
    for (const agent of agents) {
      const output = bundlePath();
      await record('agent', { output, limits: { payloadBytes: 1_000 } }, agent);
      const report = await replay(output, () => record('agent', agent));
      expect(report, JSON.stringify(report.divergence)).toMatchObject({
        verdict: 'diverged',
        divergence: { code: 'unservable' },
      });
    }
  });

  it('says where its calls ran out', async () => {
    const output = bundlePath();
    const agent = async (): Promise<string> => `${await echo('1')}${await echo('2')}${await echo('3')}`;
    await record('agent', { output, limits: { events: 4 } }, agent);
    const report = await replay(output, () => record('agent', agent));
    expect(report.verdict).toBe('diverged');
    expect(report.notes).toContainEqual(expect.stringContaining('limits.events'));
  });
});
