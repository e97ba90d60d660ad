import { diffTraces } from '@stepfork/diff';
import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { loadTrace, pairCalls, validateBundle } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, bundlePath, recordRun, sleep } from '../recording.js';

let bodies = 0;
const search = traceTool('search', async (query: string) => {
  bodies++;
  await sleep(2);
  if (query === 'bad') throw new RangeError('no such thing');
  return `found ${query}`;
});
const shout = traceTool('shout', (text: string) => text.toUpperCase());
const words = traceTool('words', async function* (text: string) {
  for (const word of text.split(' ')) yield word;
});
const ask = (prompt: string, call: () => Promise<unknown> = async () => 'answer'): Promise<unknown> =>
  llmRequest({ provider: 'acme', model: 'big', input: { prompt }, call });

const agent = async (): Promise<unknown> => {
  const found = await Promise.all([search('cats'), search('dogs')]);
  const failed = await search('bad').catch((error: Error) => error.message);
  const read: string[] = [];
  for await (const word of words('one two three')) read.push(word);
  return { found, failed, read, loud: shout('hey'), answer: await ask('why'), password: 'hunter2hunter2' };
};

const callsOf = (path: string) =>
  pairCalls(loadTrace(path).events).map(({ name, input, outcome, frame }) => ({
    name,
    input,
    frame,
    type: outcome?.type,
  }));

describe('the replayed run, recorded', () => {
  it('is a valid bundle that behaves as the recording, and no body ran for it', async () => {
    const path = await recordRun(agent);
    const candidate = bundlePath();
    bodies = 0;
    const report = await replay(path, asAgent(agent), { record: candidate });
    expect([report.verdict, bodies]).toEqual(['matched', 0]);
    expect(validateBundle(candidate, { verifyIntegrity: true })).toMatchObject({ valid: true, integrity: 'verified' });
    expect(callsOf(candidate)).toEqual(callsOf(path));
    expect(diffTraces(loadTrace(path), loadTrace(candidate)).equivalent).toBe(true);
    expect(loadTrace(candidate).runtime).toContainEqual(
      expect.objectContaining({ tags: { replay_of: report.recording.runId } }),
    );
    // It holds streams, errors and outputs as any recording does, so it replays.
    expect((await replay(candidate, asAgent(agent))).verdict).toBe('matched');
  });

  it('shows what a changed agent did, its divergence included', async () => {
    const path = await recordRun(agent);
    const candidate = bundlePath();
    const changed = async (): Promise<unknown> => {
      await search('cats');
      await search('birds').catch(() => {});
      return 'gave up';
    };
    const report = await replay(path, asAgent(changed), { record: candidate });
    expect(report.verdict).toBe('diverged');
    const trace = loadTrace(candidate);
    expect(callsOf(candidate).map(({ name, type }) => [name, type])).toEqual([
      ['search', 'returned'],
      ['search', 'threw'],
    ]);
    expect(trace.events.findLast(({ type }) => type === 'run_end')).toMatchObject({ output: 'gave up' });
    expect(diffTraces(loadTrace(path), trace).equivalent).toBe(false);
  });

  it('holds the calls of bodies that really ran, as theirs', async () => {
    const nested = (): Promise<unknown> => ask('why', () => search('inside'));
    const path = await recordRun(nested);
    const candidate = bundlePath();
    await replay(path, asAgent(nested), { mode: 'hybrid', liveLlms: ['big'], record: candidate });
    expect(callsOf(candidate)).toEqual(callsOf(path));
    expect(callsOf(candidate)[1]?.frame).toBe(0);
  });

  it.each<[string, () => unknown, object]>([
    ['threw', () => Promise.reject(new TypeError('oh')), { status: 'failed', failure: { type: 'TypeError' } }],
    ['did not end', () => new Promise(() => {}), { status: 'failed', failure: { type: 'Stalled' } }],
  ])('says how it ended: %s', async (_how, end, manifest) => {
    const path = await recordRun(() => 1);
    const candidate = bundlePath();
    await replay(path, asAgent(end), { record: candidate, noProgressMs: 50 });
    expect(loadTrace(candidate)).toMatchObject(manifest);
  });

  it('holds what the session in the run tells', async () => {
    const telling = () =>
      record('agent', async (session) => {
        session.stateChange('step', 1, 2);
        session.error(new Error('dealt with'));
        session.setOutput('told');
      });
    const path = await recordRun(() => 1);
    const candidate = bundlePath();
    await replay(path, telling, { record: candidate });
    expect(loadTrace(candidate).events.map(({ type }) => type)).toEqual([
      'run_start',
      'state_change',
      'error',
      'run_end',
    ]);
  });

  it('refuses what is there already, unless it may be replaced, before the agent runs', async () => {
    const path = await recordRun(() => search('cats'));
    let ran = false;
    const entry = () => {
      ran = true;
    };
    await expect(replay(path, entry, { record: path })).rejects.toMatchObject({ code: 'output_exists' });
    expect(ran).toBe(false);
    const candidate = bundlePath();
    await replay(
      path,
      asAgent(() => search('cats')),
      { record: candidate },
    );
    const again = await replay(
      path,
      asAgent(() => search('cats')),
      { record: { path: candidate, overwrite: true } },
    );
    expect(again.verdict).toBe('matched');
    // The recording itself may be the place: it was read before.
    await replay(
      path,
      asAgent(() => search('cats')),
      { record: { path, overwrite: true } },
    );
    expect(callsOf(path)).toHaveLength(1);
  });
});
