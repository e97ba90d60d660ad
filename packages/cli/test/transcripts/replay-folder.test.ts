import { cpSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { startAgentHost } from '../support/in-agent-host.js';
import { faultsOf } from '../support/json-schemas.js';
import type { Ended } from '../support/stepfork.js';

const host = startAgentHost();
let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  await project.record('runAgent', 'runs/one.sftrace');
  const { record } = await project.recorder();
  const input = { order_id: 'ORD-1' };
  for (const name of ['refund', 'clerk'])
    await record(name, { output: project.path(`both/${name}.sftrace`), input }, async () => null);
  cpSync(project.path('runs/one.sftrace'), project.path('both/one.sftrace'), { recursive: true });
}, 120_000);
afterAll(() => {
  host.stop();
  project?.remove();
});

const replay = (...argv: string[]): Promise<Ended> => host.run(project.folder, 'replay', ...argv);

describe('stepfork replay, given a folder', () => {
  it.each([
    ['agent.mjs:throwing', /^output-changed {5}\w{8} {2}notify-agent {2}threw TypeError: cannot read the answer$/m],
    ['agent.mjs:skipping', /^diverged .*recorded call #2 LLM 'acme\/small-1' never came$/m],
  ])('says in its line how a run ended: %s', async (entrypoint, line) => {
    const { exitCode, stdout } = await replay('runs', '--entrypoint', entrypoint);
    expect(stdout).toMatch(line);
    expect(exitCode).toBe(1);
  });

  it('says of a failure that came again which one it was', async () => {
    await project.record('runAgent', 'failed/one.sftrace', { order_id: 'ORD-404' });
    const { exitCode, stdout } = await replay('failed', '--entrypoint', 'agent.mjs:runAgent');
    expect(stdout).toMatch(/^reproduced-failure \w{8} {2}notify-agent {2}threw RangeError: no such order$/m);
    expect(exitCode).toBe(0);
  });

  it('replays the runs of one agent, and says of which others it left some out', async () => {
    const argv = ['both', '--entrypoint', 'agent.mjs:runAgent', '--agent', 'notify-agent'] as const;
    const { exitCode, stdout } = await replay(...argv);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^matched {12}\w{8} {2}notify-agent$/),
      'left out           1 run of clerk',
      'left out           1 run of refund',
      '1 replayed: 1 matched, 2 of other agents and left out',
      '',
    ]);
    expect(exitCode).toBe(0);
    const document: unknown = JSON.parse((await replay(...argv, '--json')).stdout);
    expect(faultsOf(document)).toEqual([]);
    expect(document).toMatchObject({ skipped: [{ agent_name: 'clerk' }, { agent_name: 'refund' }] });
  });

  it('knows whose the entrypoint is where the project names it, and asks where it does not', async () => {
    const argv = ['both', '--entrypoint', 'agent.mjs:runAgent'] as const;
    const asked = await replay(...argv);
    expect(asked.stderr).toBe(
      'stepfork: there are runs of 3 agents in both: clerk, refund, notify-agent. Say with --agent which of them agent.mjs:runAgent is.\n',
    );
    expect([asked.exitCode, asked.stdout]).toEqual([2, '']);
    project.write('stepfork.config.json', '{ "entrypoints": { "notify-agent": "agent.mjs:runAgent" } }');
    const known = await replay(...argv);
    expect([known.exitCode, known.stdout.split('\n').at(-2)]).toEqual([
      0,
      '1 replayed: 1 matched, 2 of other agents and left out',
    ]);
    project.write('stepfork.config.json', '{}');
  });

  it.each([
    [
      ['both', '--agent', 'notify'],
      "there is no run of agent 'notify' in both. Its agents are clerk, refund, notify-agent.",
    ],
    [['empty'], 'there are no runs to replay in empty. Record some first, or give the folder that they lie in.'],
    [['.'], 'there are no runs to replay in .. There are some in .stepfork/traces.'],
    [['killed'], 'the run in killed is not finished. Wait for it or,'],
    [['failure.sftrace', '--agent', 'notify-agent'], '--agent is for a folder of bundles'],
  ])('is not green where nothing was replayed: %j', async ([folder = '', ...flags], line) => {
    project.write('empty/readme.md', '');
    cpSync(project.path('runs/one.sftrace'), project.path('killed/one.01234567.partial.sftrace'), { recursive: true });
    cpSync(project.path('runs/one.sftrace'), project.path('.stepfork/traces/one.sftrace'), { recursive: true });
    // This folder itself is not to hold any.
    const at = folder === '.' ? project.path('inner') : project.folder;
    cpSync(project.path('.stepfork'), project.path('inner/.stepfork'), { recursive: true });
    project.write('inner/agent.mjs', 'export const runAgent = () => null;\n');
    const { exitCode, stdout, stderr } = await commandLineIn(at)(
      ...['replay', folder, '--entrypoint', 'agent.mjs:runAgent', ...flags],
    );
    expect(stderr).toContain(`stepfork: ${line}`);
    expect([exitCode, stdout]).toEqual([2, '']);
  });
});

describe('stepfork replay --record --overwrite', () => {
  it.each([
    ['its own path', 'failure.sftrace', 'failure.sftrace', 'is'],
    ['another spelling of it', 'failure.sftrace', './agent/../failure.sftrace', 'is'],
    ['a link to it', 'failure.sftrace', 'linked.sftrace', 'is'],
    ['what a link leads to', 'linked.sftrace', 'failure.sftrace', 'is'],
    ['a folder that is reached by a link', 'failure.sftrace', 'here/failure.sftrace', 'is'],
    ['its packed form', 'failure.sftrace', 'failure.packed.sftrace', 'holds'],
    ['the folder of a packed one', 'failure.packed.sftrace', 'failure.sftrace', 'holds'],
    ['a packed one', 'failure.packed.sftrace', 'failure.packed.sftrace', 'is'],
  ])('never replaces the recording that it replays: %s', async (_, bundle, record, is) => {
    project.write('agent/readme.md', '');
    const run = commandLineIn(project.folder);
    await run('pack', 'failure.sftrace');
    for (const [target, link] of [
      ['failure.sftrace', 'linked.sftrace'],
      ['.', 'here'],
    ] as const) {
      try {
        symlinkSync(target, project.path(link));
      } catch {
        // It is there from the test before.
      }
    }
    const before = project.read('failure.sftrace/events.jsonl');
    const argv = ['replay', bundle, '--entrypoint', 'agent.mjs:fixed', '--record', record, '--overwrite'];
    const { exitCode, stdout, stderr } = await run(...argv);
    expect(stderr).toBe(
      `stepfork: '${record}' ${is} the recording that is replayed, which would be lost. Name another place with --record.\n`,
    );
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(project.read('failure.sftrace/events.jsonl')).toBe(before);
  });
});

describe('the report of a divergence', () => {
  it.each([
    ['agent.mjs:drifted', 1, 'order_status'],
    ['agent.mjs:skipping', 3, 'acme'],
  ])('leads to the recorded step: %s', async (entrypoint, step, name) => {
    const { stdout } = await replay('failure.sftrace', '--entrypoint', entrypoint);
    const line = `see the recorded call: stepfork inspect failure.sftrace --step ${step}`;
    expect(stdout.split('\n').at(-2)).toBe(line);
    const shown = await commandLineIn(project.folder)(...line.replace(/^.*stepfork /, '').split(' '));
    expect(shown.stdout).toContain(name);
    const { stdout: json } = await replay('failure.sftrace', '--entrypoint', entrypoint, '--json');
    expect(json).not.toContain('see the recorded');
  });

  it('leads nowhere where the recording has no such call', async () => {
    const { stdout } = await replay('failure.sftrace', '--entrypoint', 'agent.mjs:runAgent');
    expect(stdout).not.toContain('see the recorded call');
  });
});
