import { cpSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { type Ended, stepfork } from '../support/stepfork.js';
import { saveRun } from '../support/trace-folder.js';

const TRACES = '.stepfork/traces';
const runId = (head: string): string => `run_${head.padEnd(32, '0')}`;
const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;

let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  const folder = project.path(TRACES);
  saveRun(folder, 'first', { agentName: 'refund', runId: runId('aaaa1'), createdAt: at(1), status: 'completed' });
  saveRun(folder, 'second', { agentName: 'mail/eu', runId: runId('aaaa2'), createdAt: at(2), status: 'completed' });
  await project.record('runAgent', `${TRACES}/third.sftrace`);
  await run('pack', `${TRACES}/third.sftrace`);
  mkdirSync(project.path('elsewhere'));
  const { record } = await project.recorder();
  await record('killed', { output: project.path('elsewhere/run.sftrace') }, () => {
    const [partial = ''] = readdirSync(project.path('elsewhere'));
    cpSync(project.path(`elsewhere/${partial}`), project.path(`${TRACES}/run.01234567.partial.sftrace`), {
      recursive: true,
    });
  });
}, 120_000);
afterAll(() => project?.remove());

const run = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);
const inspected = async (...argv: string[]): Promise<string> =>
  /^(?:\S+\/)?(\S+)\.sftrace\n/.exec((await run('inspect', ...argv)).stdout)?.[1] ?? '';

async function refusal(...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(...argv);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^stepfork: [^\n]+\n$/);
  return stderr;
}

describe('a bundle', () => {
  it('is named by latest, the newest that is finished and no packed copy', async () => {
    expect(await inspected('latest')).toBe('third');
  });

  it('is named by latest of an agent', async () => {
    expect(await inspected('latest:refund')).toBe('first');
    expect(await inspected('latest:mail/eu')).toBe('second');
  });

  it.each(['aaaa2', 'run_aaaa2', runId('aaaa2'), runId('aaaa2').slice(4)])(
    'is named by the beginning of its run’s id: %s',
    async (named) => expect(await inspected(named)).toBe('second'),
  );

  it('is taken so by every command', async () => {
    expect((await run('validate', 'latest')).stdout).toContain(`${TRACES}/third.sftrace: valid\n`);
    expect((await run('diff', 'aaaa1', 'latest:refund')).exitCode).toBe(0);
    expect((await run('scan', 'latest')).exitCode).toBe(0);
    expect((await run('pack', 'aaaa1', '--output', 'packed.sftrace')).exitCode).toBe(0);
    const replayed = await stepfork(project.folder, 'replay', 'latest', '--entrypoint', 'agent.mjs:runAgent');
    expect(replayed).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^matched/) });
  });

  it('that is unfinished is what recover means by latest', async () => {
    expect(await run('recover', 'latest')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`recovered ${TRACES}/run.sftrace: `),
    });
    expect(await refusal('recover', 'latest')).toMatch(/no run in \S+ is unfinished\. There is nothing to recover\./);
    renameSync(project.path(`${TRACES}/run.sftrace`), project.path('run.sftrace'));
  });

  it('is a path before it is anything else', async () => {
    cpSync(project.path(`${TRACES}/first.sftrace`), project.path('latest'), { recursive: true });
    expect(await refusal('inspect', 'latest')).toContain("the name of a trace bundle must end in '.sftrace'");
    cpSync(project.path(`${TRACES}/first.sftrace`), project.path('latest.sftrace'), { recursive: true });
    expect(await inspected('latest.sftrace')).toBe('latest');
    renameSync(project.path('latest'), project.path('later'));
    expect(await refusal('inspect', 'none/latest')).toContain("must end in '.sftrace'");
  });
});

describe('a bundle that cannot be found', () => {
  it('is refused where several runs begin so, with what tells them apart', async () => {
    expect(await refusal('inspect', 'aaaa')).toBe(
      `stepfork: 2 runs in ${TRACES} begin with 'aaaa': aaaa1000, aaaa2000. Give more of the id, or the bundle's path.\n`,
    );
  });

  it('is refused where several bundles hold the run', async () => {
    cpSync(project.path(`${TRACES}/first.sftrace`), project.path(`${TRACES}/copy.sftrace`), { recursive: true });
    expect(await refusal('inspect', 'aaaa1')).toMatch(
      /2 bundles hold the run 'run_aaaa1\w+': \S+\/copy\.sftrace, \S+\/first\.sftrace\. Give more of the id, or the bundle's path\./,
    );
    expect(await inspected(`${TRACES}/copy.sftrace`)).toBe('copy');
  });

  it.each([
    [
      'inspect',
      'ffff',
      /'ffff' is neither a bundle's path nor the beginning of a run's id in \S+\. Run 'stepfork list'/,
    ],
    ['inspect', 'latest:refnud', /there is no run of agent 'refnud' in \S+\. Did you mean 'latest:refund'\?/],
    [
      'inspect',
      'latest:other',
      /there is no run of agent 'other' in \S+\. Its agents are notify-agent, mail\/eu, refund\./,
    ],
    ['validate', '\u001b[2J', /'\\u001b\[2J' is neither/],
  ])('is refused: %s %s', async (command, named, line) => expect(await refusal(command, named)).toMatch(line));

  it('is refused where there is no run at all', async () => {
    const { exitCode, stderr } = await commandLineIn(project.path('elsewhere'))('inspect', 'latest');
    expect(stderr).toBe(`stepfork: there is no run in ${TRACES} yet. Record one first.\n`);
    expect(exitCode).toBe(2);
  });
});
