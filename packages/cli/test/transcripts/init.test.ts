import { execFile } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { createProject, type Project } from '../support/project.js';
import { HAS_PTY, inTerminal, plain } from '../support/pty.js';
import { type Ended, stepfork, stepforkWith } from '../support/stepfork.js';

beforeAll(ensureBuilt, 120_000);

const projects: Project[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

/** A project whose package managers only say what they were called with. */
function newProject(files: Readonly<Record<string, string>> = {}): Project {
  const project = createProject(files);
  projects.push(project);
  for (const manager of ['npm', 'pnpm', 'yarn', 'bun']) {
    project.write(`bin/${manager}`, `#!/bin/sh\necho "${manager} $*" >> calls.txt\necho installing\n`);
    chmodSync(project.path(`bin/${manager}`), 0o755);
  }
  return project;
}

const manifest = (parts: object): string => JSON.stringify({ name: 'agents', type: 'module', ...parts });
const init = (project: Project, ...argv: string[]): Promise<Ended> =>
  stepforkWith({ PATH: `${project.path('bin')}:${process.env.PATH}` }, project.folder, 'init', ...argv);

describe('stepfork init', () => {
  it('says what it would do, and does nothing', async () => {
    const project = newProject({ 'package.json': manifest({ devDependencies: { vitest: '4' } }) });
    const expected = `this project: JavaScript, npm, vitest
would run npm install @stepfork/recorder
would run npm install --save-dev @stepfork/cli @stepfork/exporter-vitest
would write stepfork.config.mjs
would write stepfork-example.mjs
nothing was done yet: --yes does it
`;
    for (const argv of [[], ['--dry-run']]) {
      expect(await commandLineIn(project.folder)('init', ...argv)).toEqual({
        exitCode: 0,
        stdout: expected,
        stderr: '',
      });
    }
    expect(existsSync(project.path('stepfork-example.mjs'))).toBe(false);
    expect(existsSync(project.path('calls.txt'))).toBe(false);
  });

  it.each<[what: string, files: Readonly<Record<string, string>>, calls: string]>([
    [
      'pnpm and vitest',
      { 'package.json': manifest({ devDependencies: { vitest: '4' } }), 'pnpm-lock.yaml': '' },
      'pnpm add @stepfork/recorder\npnpm add --save-dev @stepfork/cli @stepfork/exporter-vitest\n',
    ],
    [
      'the root of a pnpm workspace',
      {
        'package.json': manifest({ devDependencies: { vitest: '4' } }),
        'pnpm-lock.yaml': '',
        'pnpm-workspace.yaml': '',
      },
      'pnpm add --workspace-root @stepfork/recorder\npnpm add --save-dev --workspace-root @stepfork/cli @stepfork/exporter-vitest\n',
    ],
    [
      'yarn and jest',
      { 'package.json': manifest({ devDependencies: { jest: '30' } }), 'yarn.lock': '' },
      'yarn add @stepfork/recorder\nyarn add --dev @stepfork/cli @stepfork/exporter-jest\n',
    ],
    [
      'bun and a configuration of jest',
      {
        'package.json': manifest({ dependencies: { '@stepfork/recorder': '0' } }),
        'bun.lock': '',
        'jest.config.js': '',
      },
      'bun add --dev @stepfork/cli @stepfork/exporter-jest\n',
    ],
    [
      'npm and nothing else',
      { 'package.json': manifest({}), 'package-lock.json': '{}' },
      'npm install @stepfork/recorder\nnpm install --save-dev @stepfork/cli @stepfork/exporter-vitest vitest\n',
    ],
    [
      'a package manager that package.json names',
      {
        'package.json': manifest({
          packageManager: 'yarn@4.1.0',
          devDependencies: { vitest: '4', '@stepfork/cli': '0' },
        }),
      },
      'yarn add @stepfork/recorder\nyarn add --dev @stepfork/exporter-vitest\n',
    ],
  ])('installs with what the project has: %s', async (_, files, calls) => {
    const project = newProject(files);
    const { exitCode, stdout, stderr } = await init(project, '--yes');
    expect(project.read('calls.txt')).toBe(calls);
    expect(stdout).not.toContain('installing');
    expect(stderr).toContain('installing');
    expect(exitCode).toBe(0);
  });

  it('writes an example that can be recorded, and replayed by the configuration', async () => {
    const project = newProject({
      'package.json': manifest({ devDependencies: { vitest: '4' } }),
      'tsconfig.json': '{}',
    });
    expect((await init(project, '--yes')).exitCode).toBe(0);
    await promisify(execFile)(process.execPath, ['stepfork-example.mjs'], { cwd: project.folder });
    const { exitCode, stdout, stderr } = await stepfork(project.folder, 'replay', 'latest');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('matched: 2 recorded, 2 answered');
    expect(existsSync(project.path('stepfork.config.ts'))).toBe(true);
  });

  it('writes it in CommonJS where jest runs no ES modules', async () => {
    const project = newProject({
      'package.json': JSON.stringify({ name: 'shop', devDependencies: { jest: '30' } }),
      'tsconfig.json': '{}',
    });
    const { exitCode, stdout } = await init(project, '--yes');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('the first lines of stepfork-example.cjs say how to go on');
    await promisify(execFile)(process.execPath, ['stepfork-example.cjs'], { cwd: project.folder });
    const replayed = await stepfork(project.folder, 'replay', 'latest');
    expect(replayed.stderr).toBe('');
    expect(replayed.stdout).toContain('matched: 2 recorded, 2 answered');
  });

  it('overwrites nothing', async () => {
    const project = newProject({
      'package.json': manifest({ devDependencies: { vitest: '4' } }),
      'stepfork.config.json': '{}',
      'stepfork-example.mjs': 'mine',
    });
    const { exitCode, stdout } = await init(project, '--yes');
    expect(stdout).toContain(
      'left alone: stepfork.config.json is there already\nleft alone: stepfork-example.mjs is there',
    );
    expect(project.read('stepfork-example.mjs')).toBe('mine');
    expect(existsSync(project.path('stepfork.config.mjs'))).toBe(false);
    expect(exitCode).toBe(0);
  });

  it('finds nothing to do where all is done', async () => {
    const dependencies = Object.fromEntries(
      ['recorder', 'cli', 'exporter-jest'].map((name) => [`@stepfork/${name}`, '0']),
    );
    const project = newProject({
      'package.json': manifest({ dependencies: { jest: '30', ...dependencies }, stepfork: { traces: 'traces' } }),
      'stepfork-example.mjs': '',
    });
    const { exitCode, stdout } = await init(project, '--yes');
    expect(stdout).toBe(`this project: JavaScript, npm, jest
left alone: package.json (key 'stepfork') is there already
left alone: stepfork-example.mjs is there already
nothing is to be done
`);
    expect(exitCode).toBe(0);
  });

  it('leaves the project as it was where packages cannot be installed, exit 1', async () => {
    const project = newProject({ 'package.json': manifest({}) });
    project.write('bin/npm', '#!/bin/sh\nexit 7\n');
    const { exitCode, stderr } = await init(project, '--yes');
    expect(stderr).toBe(
      "stepfork: 'npm install @stepfork/recorder' failed: it ended with exit code 7. Correct that, or run it yourself, and run it again.\n",
    );
    expect(exitCode).toBe(1);
    expect(existsSync(project.path('stepfork-example.mjs'))).toBe(false);
  });

  it('needs a project, exit 2', async () => {
    const project = newProject({ 'empty/.keep': '', 'broken/package.json': '{', 'list/package.json': '[]' });
    const inside = (folder: string) => commandLineIn(project.path(folder))('init');
    expect((await inside('empty')).stderr).toMatch(
      /^stepfork: there is no package\.json here\. Run 'stepfork init' in/,
    );
    expect((await inside('broken')).stderr).toMatch(/^stepfork: package\.json cannot be read: [^\n]+ Correct it\.\n$/);
    expect(await inside('list')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'stepfork: package.json is no JSON object. Correct it.\n',
    });
  });

  const terminals = HAS_PTY ? [['y', true] as const, ['', false] as const] : [];
  it.each(terminals)('asks on a terminal, and takes %j for an answer', async (answer, isDone) => {
    const project = newProject({ 'package.json': manifest({ devDependencies: { vitest: '4' } }) });
    const { exitCode, output } = await inTerminal(project.folder, ['init'], {
      typed: { after: '[y/N]', text: `${answer}\n` },
      env: { PATH: `${project.path('bin')}:${process.env.PATH}` },
    });
    expect(plain(output)).toContain('Do this? [y/N] ');
    expect(plain(output).includes('nothing was done yet')).toBe(!isDone);
    expect(existsSync(project.path('stepfork-example.mjs'))).toBe(isDone);
    expect(exitCode).toBe(0);
  });

  it.each(HAS_PTY ? ['\u0004'] : [])('takes Ctrl-D at its question for a no', async (key) => {
    const project = newProject({ 'package.json': manifest({}) });
    const { exitCode, output } = await inTerminal(project.folder, ['init'], { typed: { after: '[y/N]', text: key } });
    expect(plain(output)).toMatch(/nothing was done yet: --yes does it\n$/);
    expect(exitCode).toBe(0);
    expect(existsSync(project.path('stepfork-example.mjs'))).toBe(false);
  });

  it.each(HAS_PTY ? ['\u0003'] : [])('ends by Ctrl-C at its question with 130, nothing done', async (key) => {
    const project = newProject({ 'package.json': manifest({}) });
    const { exitCode } = await inTerminal(project.folder, ['init'], { typed: { after: '[y/N]', text: key } });
    expect(exitCode).toBe(130);
    expect(existsSync(project.path('stepfork-example.mjs'))).toBe(false);
  });
});
