import { cpSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { copyProject, type Project } from '../support/project.js';
import { stepfork } from '../support/stepfork.js';

let recorded: Agents;
/** Of one test. */
let project: Project;

beforeAll(async () => {
  await ensureBuilt();
  recorded = await createAgents();
  await recorded.record('runAgent', 'failure.sftrace');
  await recorded.record('runAgent', 'traces/one.sftrace');
}, 120_000);
beforeEach(() => {
  project = copyProject(recorded);
});
afterEach(() => project?.remove());
afterAll(() => recorded?.remove());

const json = (value: object): string => `${JSON.stringify(value)}\n`;

describe("a configuration that is not the project's", () => {
  it('is code for nobody who only reads', async () => {
    for (const place of ['', 'traces/', 'traces/one.sftrace/']) {
      project.write(
        `${place}stepfork.config.mjs`,
        'process.stdout.write("I ran");\nexport default { traces: "elsewhere" };\n',
      );
    }
    for (const argv of [
      ['list'],
      ['inspect', 'failure.sftrace'],
      ['scan', 'failure.sftrace'],
      ['prune', '--keep-last', '9'],
      ['validate', 'failure.sftrace'],
      ['diff', 'failure.sftrace', 'traces/one.sftrace'],
      ['expect', 'failure.sftrace', '--overwrite'],
      ['list', 'traces'],
      ['inspect', 'traces/one.sftrace'],
      ['pack', 'traces/one.sftrace'],
      ['prune', 'traces', '--keep-last', '9'],
      ['--get-completions', 'stepfork inspect '],
    ]) {
      const { stdout, stderr } = await commandLineIn(project.folder)(...argv);
      expect(stdout + stderr).not.toMatch(/I ran|elsewhere/);
    }
  });

  it.each([
    ['of that name', 'failure.sftrace'],
    ['that is called otherwise', 'downloaded'],
    ['in whose folder it lies deep', 'downloaded/blobs'],
  ])('is looked for in no bundle, nor is an exporter: one %s', async (_, place) => {
    cpSync(project.path('failure.sftrace'), project.path('downloaded'), { recursive: true });
    project.write(`${place}/stepfork.config.mjs`, 'process.exit(77);\n');
    project.write(`${place}/package.json`, json({ stepfork: { exporter: 'jest' } }));
    const hostile = `${place}/node_modules/@stepfork/exporter-vitest`;
    project.write(`${hostile}/package.json`, json({ name: '@stepfork/exporter-vitest', exports: './index.js' }));
    project.write(`${hostile}/index.js`, 'process.exit(77);\n');
    const up = place.replaceAll(/[^/]+/g, '..');
    const flags = [`${up}/failure.sftrace`, '--entrypoint', `${up}/agent.mjs:runAgent`];
    const inside = (...argv: string[]) => stepfork(project.path(place), ...argv);
    const [replayed, made] = await Promise.all([
      inside('replay', ...flags),
      inside('export', ...flags, '--to', 'vitest', '--expect-same', '--output', `${up}/made.test.mjs`),
    ]);
    expect(replayed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(made.exitCode).toBe(0);
    const { exitCode, stderr } = await commandLineIn(project.path(place))('init', '--yes');
    expect(stderr).toMatch(/^stepfork: what lies in a bundle is no project, [^\n]+\n$/);
    expect(exitCode).toBe(2);
  });
});
