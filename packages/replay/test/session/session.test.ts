import { traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { ReplaySession, type SessionOptions } from '../../src/index.js';
import { bundlePath, recordRun } from '../recording.js';

let bodies = 0;
const search = traceTool('search', async (query: string) => {
  bodies++;
  if (query === 'bad') throw new RangeError('no such thing');
  return `found ${query}`;
});

describe('a replay session', () => {
  it('gives what the agent returns, and checks that the calls were the recorded ones', async () => {
    const path = await recordRun(() => search('cats'));
    bodies = 0;
    await using session = ReplaySession.fromTrace(path);
    expect(await session.run(() => search('cats'))).toBe('found cats');
    session.verifyComplete();
    expect(session.report).toMatchObject({ facets: { dependencies: 'matched' }, counts: { substituted: 1 } });
    expect(bodies).toBe(0);
  });

  it('B202 throws a recorded failure as what it was, which is no divergence', async () => {
    const session = ReplaySession.fromTrace(await recordRun(() => search('bad')));
    await expect(session.run(() => search('bad'))).rejects.toThrow(RangeError);
    session.verifyComplete();
  });

  it('B195 B200 rejects where the agent does not catch a divergence, and says so once', async () => {
    const path = await recordRun(() => search('cats'));
    const run = async (): Promise<unknown> => {
      await using session = ReplaySession.fromTrace(path);
      return await session.run(() => search('dogs'));
    };
    await expect(run()).rejects.toMatchObject({ name: 'StepforkError', code: 'replay_divergence' });
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'B219 a divergence that the agent caught',
      () => search('dogs').catch(() => 'none'),
      "tool 'search' was called with",
    ],
    ['B200 calls that did not come', async () => 'nothing', "recorded call #1 tool 'search' never came"],
  ])('fails at the end of its scope for %s', async (_what, agent, message) => {
    const path = await recordRun(() => search('cats'));
    const run = async (): Promise<void> => {
      await using session = ReplaySession.fromTrace(path);
      await session.run(agent);
    };
    await expect(run()).rejects.toMatchObject({ code: 'replay_failed', message: expect.stringContaining(message) });
    const session = ReplaySession.fromTrace(path);
    await session.run(agent);
    expect(() => session.verifyComplete()).toThrow(message);
    await session[Symbol.asyncDispose]();
  });

  it('B220 runs once, one run at a time', async () => {
    const path = await recordRun(() => search('cats'));
    const session = ReplaySession.fromTrace(path);
    expect(() => session.report).toThrow('the session has no report before its run is over');
    const running = session.run(() => search('cats'));
    await expect(session.run(() => 1)).rejects.toMatchObject({ code: 'session_used' });
    expect(() => session.verifyComplete()).toThrow(expect.objectContaining({ code: 'session_open' }));
    await running;
    await expect(session.run(() => 1)).rejects.toMatchObject({ code: 'session_used' });
    session.verifyComplete();
  });

  it('that never ran, or was not waited for, proves nothing', async () => {
    const path = await recordRun(() => search('cats'));
    const session = ReplaySession.fromTrace(path);
    await expect(session[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'session_open' });
    const running = session.run(() => search('cats'));
    await expect(session[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'session_open' });
    await running;
    await session[Symbol.asyncDispose]();
  });

  it('fails for a run that does not end', async () => {
    const session = ReplaySession.fromTrace(await recordRun(() => 1), { noProgressMs: 50 });
    await expect(session.run(() => new Promise(() => {}))).rejects.toMatchObject({ code: 'replay_failed' });
  });

  it('is refused as a replay would be', async () => {
    expect(() => ReplaySession.fromTrace(bundlePath())).toThrow(expect.objectContaining({ code: 'missing_bundle' }));
    const path = await recordRun(() => 1);
    const options: Record<string, unknown> = { order: 'sorted' };
    expect(() => ReplaySession.fromTrace(path, options as SessionOptions)).toThrow('option order must be');
  });
});
