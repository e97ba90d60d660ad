import { traceTool } from '@stepfork/recorder';
import { addEvent, createTrace, toolCallEvent, toolResultEvent } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { formatReport, replay } from '../../src/index.js';
import { asAgent, recordRun } from '../recording.js';

const TOKEN = 'tok-7f3c9a1e5b2d4806';
let issued = TOKEN;
const login = traceTool('login', async (input: { user: string; password: string }) => ({
  user: input.user,
  access_token: issued,
}));
const get = traceTool('get', async (input: { url: string; headers: Record<string, string> }) => input.url.length);

const agentOf = (password: string) => async (): Promise<unknown> => {
  const { user, access_token: token } = await login({ user: 'ada', password });
  await get({ url: `https://api.example.com/me?session=${token}`, headers: { 'x-trace': `${user}/${token}` } });
  const basic = Buffer.from(`${user}:${token}`).toString('base64');
  await get({ url: 'https://api.example.com/orders', headers: { 'x-signed': `Basic ${basic}` } });
  return 'done';
};

describe('secrets', () => {
  it('B197 that differ in the same redacted place match', async () => {
    const path = await recordRun(agentOf('correct-horse-battery'));
    const report = await replay(path, asAgent(agentOf('another-password-1')));
    expect(report).toMatchObject({ verdict: 'matched', ambiguous: [] });
  });

  it('in place of which calls that overlapped may have differed make them too alike to guess', async () => {
    const admit = traceTool('admit', async (input: { password: string }) => input.password.length);
    const agent = (): Promise<unknown> =>
      Promise.all([admit({ password: 'first-password-1' }), admit({ password: 'the-second-password-2' })]);
    const path = await recordRun(agent);
    const refused = await replay(path, asAgent(agent));
    expect(refused.divergence).toMatchObject({
      code: 'ambiguous',
      message:
        "call #1: tool 'admit' cannot be told from an overlapping call: their recorded inputs may differ in redacted " +
        "places (onAmbiguous: 'report' goes by their order)",
    });
    const report = await replay(path, asAgent(agent), { onAmbiguous: 'report' });
    expect(report).toMatchObject({ verdict: 'matched', output: [16, 21] });
    expect(report.ambiguous).toHaveLength(2);
  });

  it('in place of which calls may have differed that came one after the other have these listed', async () => {
    const admit = traceTool('admit', async (input: { password: string }) => input.password.length);
    const agent = (passwords: readonly string[]) => async (): Promise<unknown> => {
      const admitted: number[] = [];
      for (const password of passwords) admitted.push(await admit({ password }));
      return admitted;
    };
    const path = await recordRun(agent(['first-password-1', 'the-second-password-2']));
    // Nothing tells that these are asked for the other way round.
    const report = await replay(path, asAgent(agent(['the-second-password-2', 'first-password-1'])));
    expect(report).toMatchObject({ verdict: 'matched', output: [16, 21] });
    expect(report.ambiguous.map(({ name }) => name)).toEqual(['admit', 'admit']);
    const alike = await recordRun(agent(['first-password-1', 'other-password-1']));
    expect((await replay(alike, asAgent(agent(['first-password-1', 'other-password-1'])))).ambiguous).toEqual([]);
  });

  it('that a login gave out are recognised where they recur in later calls', async () => {
    const path = await recordRun(agentOf('correct-horse-battery'));
    const report = await replay(path, asAgent(agentOf('correct-horse-battery')));
    expect(report).toMatchObject({ verdict: 'matched', counts: { recorded: 3, substituted: 3, executed: 0 } });
    expect(report.calls[1]?.input).toEqual({
      url: 'https://api.example.com/me?session=[REDACTED]',
      headers: { 'x-trace': 'ada/[REDACTED]' },
    });
  });

  it('are in no part of a report, also where the replay diverged', async () => {
    const password = 'correct-horse-battery';
    const path = await recordRun(agentOf(password));
    const report = await replay(
      path,
      asAgent(async () => {
        await login({ user: 'ada', password });
        await get({ url: `https://api.example.com/you?p=${password}`, headers: {} });
        return password;
      }),
    );
    expect(report.divergence).toMatchObject({ code: 'input_changed', position: 2 });
    for (const text of [JSON.stringify(report), formatReport(report, { verbose: true })]) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(TOKEN);
    }
  });

  it('of a trace that was never saved recur in its later calls, and match', async () => {
    issued = 'tok-unsaved-0011223344';
    const trace = createTrace({ agentName: 'agent', status: 'completed' });
    const first = addEvent(trace, toolCallEvent({ name: 'login', input: { user: 'ada', password: 'pw-0123456789' } }));
    addEvent(
      trace,
      toolResultEvent({ name: 'login', output: { user: 'ada', access_token: issued }, parent_id: first.id }),
    );
    const url = `https://api.example.com/me?session=${issued}`;
    const second = addEvent(trace, toolCallEvent({ name: 'get', input: { url, headers: {} } }));
    addEvent(trace, toolResultEvent({ name: 'get', output: 'me', parent_id: second.id }));
    const report = await replay(trace, async () => {
      const { access_token: token } = await login({ user: 'ada', password: 'another-0123456789' });
      return get({ url: `https://api.example.com/me?session=${token}`, headers: {} });
    });
    expect(report).toMatchObject({ verdict: 'matched', output: 'me' });
  });
});
