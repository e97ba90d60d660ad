import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { startAgentHost } from '../support/in-agent-host.js';
import type { Ended } from '../support/stepfork.js';

const host = startAgentHost();
let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
}, 120_000);
afterAll(() => {
  host.stop();
  project?.remove();
});

const exported = (bundle: string, ...argv: string[]): Promise<Ended> =>
  host.run(project.folder, 'export', bundle, ...argv);

describe('export of a run that was killed while a call was open', () => {
  beforeAll(async () => {
    project.write(
      'stuck.mjs',
      `import { record, traceTool } from '@stepfork/recorder';

const search = traceTool({ name: 'search', params: ['order_id'] }, async () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20);
  await new Promise(() => {});
});
export const runAgent = ({ order_id }) => search(order_id);
export const fixed = async (order) => {
  const late = new Promise((_, fail) => setTimeout(() => fail(new RangeError('too late')), 5));
  await Promise.race([runAgent(order), late]);
};
export const other = async () => search('another');
if (process.argv[2] === 'record') {
  await record('stuck', { output: 'stuck.sftrace', input: { order_id: 'ORD-1' } }, (_, order) => runAgent(order));
}
`,
    );
    spawnSync(process.execPath, ['stuck.mjs', 'record'], { cwd: project.folder });
    const [left = ''] = readdirSync(project.folder).filter((name) => name.endsWith('.partial.sftrace'));
    expect((await host.run(project.folder, 'recover', left)).exitCode).toBe(0);
  });

  const stuck = (version: string): Promise<Ended> =>
    exported(
      'stuck.sftrace',
      ...['--to', 'vitest', '--entrypoint', `stuck.mjs:${version}`, '--expect-error', 'RangeError'],
      ...['--output', `${version}.test.mjs`],
    );

  it('writes a test that is red until the code ends by itself, exit 0', async () => {
    const { exitCode, stdout, stderr } = await stuck('runAgent');
    expect(stdout).toMatch(
      /^replayed stuck\.mjs:runAgent: all recorded calls were made, and it waits where the recording stops\nthe test is red until the code ends by itself, for example by a timeout of the call\nnote: .*search/,
    );
    expect(stdout).toMatch(/^wrote runAgent\.test\.mjs$/m);
    expect({ exitCode, refusal: /--force/.test(stderr) }).toEqual({ exitCode: 0, refusal: false });
  }, 60_000);

  it('says that it is green where the code does', async () => {
    const { exitCode, stdout } = await stuck('fixed');
    expect(stdout).toMatch(/^the test is green on this code$/m);
    expect(exitCode).toBe(0);
  }, 60_000);

  it('refuses one whose calls are others', async () => {
    const { exitCode, stderr } = await stuck('other');
    expect(stderr).toMatch(/so the test would be red whatever it expects/);
    expect(exitCode).toBe(1);
  }, 60_000);
});

describe('export for a runner that follows no path alias', () => {
  const ALIASED = ['--entrypoint', 'src/typed.ts:runAgent', '--expect-output', 'expected.json'] as const;
  const told = async (to: string, name: string, entrypoint: readonly string[] = ALIASED): Promise<string> => {
    const { exitCode, stderr } = await exported('failure.sftrace', '--to', to, ...entrypoint, '--output', name);
    expect(exitCode).toBe(0);
    return stderr;
  };

  it.each([
    ['vitest', 'vitest.config.ts', 'export default { resolve: { tsconfigPaths: true } };\n', 'vite-tsconfig-paths'],
    ['jest', 'jest.config.js', 'export default { moduleNameMapper: {} };\n', 'moduleNameMapper'],
  ])('warns of the alias, unless the configuration of %s is told of it', async (to, config, text, add) => {
    const warning = await told(to, `${to}/a.test.ts`);
    expect(warning).toContain(
      `stepfork: ${to} follows no path alias of tsconfig.json by itself, and src/typed.ts imports '@agent'. In the configuration of ${to}, add `,
    );
    expect(warning).toContain(add);
    project.write(`${to}/${config}`, text);
    expect(await told(to, `${to}/b.test.ts`)).not.toContain('path alias');
  });

  it('warns of the alias by which the test itself imports', async () => {
    const entrypoint = ['--entrypoint', '@agent:runAgent', '--expect-output', 'expected.json'];
    expect(await told('vitest', 'c.test.ts', entrypoint)).toContain("c.test.ts imports '@agent'");
  });

  it('says nothing of an alias that is not used', async () => {
    const entrypoint = ['--entrypoint', 'agent.mjs:runAgent', '--expect-output', 'expected.json'];
    expect(await told('vitest', 'd.test.ts', entrypoint)).not.toContain('path alias');
  });
});
