import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../src/process-alive.js';
import { type Agents, createAgents } from '../support/agents.js';
import { BIN, ensureBuilt } from '../support/build.js';
import { stepfork } from '../support/stepfork.js';

let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  for (const name of ['one', 'two']) await project.record('runAgent', `folder/${name}.sftrace`);
  project.write(
    'told.mjs',
    `import { writeFileSync } from 'node:fs';
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
const tell = (input) => writeFileSync('pids/' + process.pid, JSON.stringify(input ?? null));
export function spinning(input) { tell(input); for (;;); }
export async function waiting(input) { tell(input); setInterval(() => {}, 1000); await new Promise(() => {}); }
`,
  );
  project.write('pids/.keep', '');
}, 120_000);
afterAll(() => project?.remove());

/** Runs until all agents run, and says which processes these are. */
async function started(argv: readonly string[], count: number): Promise<[child: ChildProcess, agents: number[]]> {
  const before = new Set(agentsSoFar());
  const child = spawn(process.execPath, [BIN, ...argv], { cwd: project.folder, stdio: 'ignore' });
  for (;;) {
    const agents = agentsSoFar().filter((pid) => !before.has(pid));
    if (agents.length === count) return [child, agents];
    await sleep(20);
  }
}

const agentsSoFar = (): number[] =>
  readdirSync(project.path('pids'))
    .map(Number)
    .filter((pid) => pid > 0);

/** A process that ended and that nobody waited for yet is none that does anything. */
function isRunning(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  if (!isAlive(pid)) return false;
  return !existsSync(status) || !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}

async function allEnded(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await sleep(20);
}

describe('what ends a replay', () => {
  it.each([
    ['folder', 'spinning', 'SIGINT', 2],
    ['folder', 'waiting', 'SIGTERM', 2],
    ['folder', 'spinning', 'SIGKILL', 2],
    ['failure.sftrace', 'spinning', 'SIGKILL', 1],
    ['failure.sftrace', 'waiting', 'SIGKILL', 1],
  ] as const)(
    'ends all of its processes: %s, an agent %s for ever, %s to the command alone',
    async (bundle, agent, signal, count) => {
      const [child, agents] = await started(['replay', bundle, '--entrypoint', `told.mjs:${agent}`], count);
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      // No limit of its own: a process that stays keeps the test from ending.
      await allEnded(agents);
    },
    20_000,
  );

  it('is a time limit: one bundle, exit 1', async () => {
    const argv = ['replay', 'failure.sftrace', '--entrypoint', 'told.mjs:spinning', '--timeout', '1'];
    const { exitCode, stdout, stderr } = await stepfork(project.folder, ...argv);
    expect(stderr).toBe(
      'stepfork: the run did not end within the 1 s of --timeout, and was killed. Look for what it waits for, or give it more time.\n',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    const fine = ['replay', 'failure.sftrace', '--entrypoint', 'agent.mjs:runAgent', '--timeout', '30s'];
    const inTime = await stepfork(project.folder, ...fine);
    expect(inTime).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^matched: /) });
  });

  it('is a time limit for each run of a folder, which says so in its line', async () => {
    const argv = ['replay', 'folder', '--entrypoint', 'told.mjs:spinning', '--timeout', '800ms'];
    expect((await stepfork(project.folder, ...argv)).stderr).toContain(
      "'--timeout' needs a span of time, not '800ms'.",
    );
    const { exitCode, stdout } = await stepfork(project.folder, ...argv.with(-1, '1s'));
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^timed-out {10}[0-9a-f]{8} {2}notify-agent {2}the run did not end within the 1 s of --timeout/,
      ),
      expect.stringMatching(/^timed-out /),
      '2 replayed: 2 timed-out',
      '',
    ]);
    expect(exitCode).toBe(1);
  });
});
