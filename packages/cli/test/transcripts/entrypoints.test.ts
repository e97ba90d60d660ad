import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { startAgentHost } from '../support/in-agent-host.js';
import { type Ended, stepfork } from '../support/stepfork.js';

const host = startAgentHost();
let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  project.write(
    'bot.ts',
    `import { runAgent } from '@agent';

export class Bot {
  #run = runAgent;
  go(order: object) {
    return this.#run(order);
  }
}
export class Louder extends Bot {}
export const agent = new Bot();
export const louder = new Louder();
`,
  );
}, 120_000);
afterAll(() => {
  host.stop();
  project?.remove();
});

const replay = (entrypoint: string): Promise<Ended> =>
  host.run(project.folder, 'replay', 'failure.sftrace', '--entrypoint', entrypoint);

describe('an entrypoint', () => {
  it.each([
    ['a method of an instance', 'bot.ts:agent.go'],
    ['a method that its class inherits', 'bot.ts:louder.go'],
    ['what a path alias names', '@agent:runAgent'],
    ['a member of it', '@agent:agents.nested.runAgent'],
  ])('may be %s', async (_, entrypoint) => {
    const { exitCode, stderr } = await replay(entrypoint);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('may be named by a path alias for a folder of bundles, too', async () => {
    await project.record('runAgent', 'runs/one.sftrace');
    const { exitCode, stdout } = await stepfork(project.folder, 'replay', 'runs', '--entrypoint', '@agent:runAgent');
    expect(stdout).toMatch(/^matched /);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['bot.ts:Bot', /'bot\.ts:Bot' is a class, which cannot be called without new\. Name a method of an instance/],
    ['bot.ts:agent.constructor', /is a class/],
    ['bot.ts:agent.toString', /of type undefined/],
    ['bot.ts:agent.__proto__.go', /of type undefined/],
    ['bot.ts:agent.go.call', /of type undefined/],
    ['bot.ts:Bot.bind', /of type undefined/],
  ])('cannot be %s, exit 2', async (entrypoint, line) => {
    const { exitCode, stderr, stdout } = await replay(entrypoint);
    expect(stderr).toMatch(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});

describe('a recorded run that ended by process.exit', () => {
  it('ends its replay so again, which says that it did and how to make a test of it', async () => {
    project.write(
      'quits.mjs',
      `import { record } from '@stepfork/recorder';
import { quitting } from './agent.mjs';

export const run = (order) => quitting(order);
if (process.argv[2] === 'record') {
  await record('notify-agent', { output: 'quit.sftrace', input: { order_id: 'ORD-1' } }, (_, order) => run(order));
}
`,
    );
    spawnSync(process.execPath, ['quits.mjs', 'record'], { cwd: project.folder });
    const argv = ['replay', 'quit.sftrace', '--entrypoint', 'quits.mjs:run'];
    const { exitCode, stderr } = await stepfork(project.folder, ...argv);
    expect(stderr).toContain(
      'before its result was in. The recorded run ended so, too. To make a test of it, have the code throw an error instead of calling process.exit, and export with --expect-error <its name>.\n',
    );
    expect(stderr).not.toContain('Keep process.exit');
    expect(exitCode).toBe(1);
  });
});
