import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { createProject, type Project } from '../support/project.js';
import { type Ended, stepfork } from '../support/stepfork.js';
import { saveRun } from '../support/trace-folder.js';

let project: Project;

beforeAll(async () => {
  await ensureBuilt();
  project = createProject();
  for (const folder of ['.stepfork/traces', 'other', '-x', '.']) {
    saveRun(project.path(folder), '-run', { agentName: 'mail', status: 'completed' });
  }
}, 120_000);
afterAll(() => project?.remove());

const run = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);
const runsIn = (folder: string): number => readdirSync(project.path(folder)).length;

describe('what stands after --', () => {
  it('is the folder that is pruned, and no other one', async () => {
    const { exitCode, stdout } = await run('prune', '--keep-last', '0', '--yes', '--', 'other');
    expect(stdout).toMatch(/^removed 1 of 1 run in other,/);
    expect(exitCode).toBe(0);
    expect([runsIn('.stepfork/traces'), runsIn('other')]).toEqual([1, 0]);
  });

  it.each([
    ['a bundle that begins with a dash', ['inspect', '--', '-run.sftrace'], /^-run\.sftrace\n/],
    ['one among other flags', ['validate', '--json', '--', '-run.sftrace'], /"bundle": "-run\.sftrace"/],
    ['a folder', ['list', '--', '-x'], /^RUN /],
    ['this folder', ['list', '--failed', '--', '.'], /^the run in \. is not of that kind\n$/],
    ['both bundles of two', ['diff', '--', '-run.sftrace', '-x/-run.sftrace'], /./],
    ['the second one', ['diff', 'latest', '--', '-run.sftrace'], /./],
  ])('is an operand: %s', async (_, argv, shown) => {
    const { stdout, stderr } = await run(...argv);
    expect(stderr).not.toMatch(/^stepfork: '/);
    expect(stdout).toMatch(shown);
  });

  it.each([
    [['list', '--', 'a', '--failed'], "'list' does not take '--failed'."],
    [['list', '--agent', '--', 'other'], "'--agent' needs a value."],
    [['inspect', '--'], "'inspect' needs <bundle>."],
    [['inspect', '--', ''], "what was given for 'bundle' is empty."],
    [['inspect', ''], "what was given for 'bundle' is empty."],
    [['list', ''], "what was given for 'dir' is empty."],
  ])('is told as it was given: %j', async (argv, line) => {
    const { exitCode, stdout, stderr } = await run(...argv);
    expect(stderr).toContain(`stepfork: ${line}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('is no flag of ours where it is the command line of another program', async () => {
    expect(await stepfork(project.folder, 'record', '--', 'no-such-program', '--json', '--debug')).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^stepfork: [^\n]+\n$/),
    });
  });
});

describe('a command line', () => {
  it.each([
    [['list', '-v'], "'list' has no option '-v'. Run 'stepfork list --help' to see what it takes."],
    [['list', '-abc'], "'list' has no option '-abc'. Run"],
    [['list', '--faild'], "'list' has no option '--faild'. Did you mean '--failed'?"],
    [['list', '--failed=maybe'], "'--failed' takes no value, and was given 'maybe'."],
    [['prune', '--dryRun=maybe'], "'--dry-run' takes no value, and was given 'maybe'."],
    [['list', '--debug=all'], "'--debug' takes no value, and was given 'all'."],
    [['latest'], "'latest' is a run, not a command. Say what to do with it: stepfork inspect latest"],
    [
      ['-run.sftrace'],
      "'-run.sftrace' is a run, not a command. Say what to do with it: stepfork inspect ./-run.sftrace",
    ],
    [['run.sftrace'], "'run.sftrace' is a run, not a command. Say what to do with it: stepfork inspect run.sftrace"],
  ])('that cannot be understood is told in its own words: %j', async (argv, line) => {
    const { exitCode, stderr } = await run(...argv);
    expect(stderr).toContain(`stepfork: ${line}`);
    expect(exitCode).toBe(2);
  });

  it('says no to a flag that takes nothing', async () => {
    expect((await run('list', 'other', '--failed=false', '--no-json')).exitCode).toBe(0);
  });

  // Only there a folder goes that a process is in.
  it.each(process.platform === 'win32' ? [] : ['list', 'replay'])(
    'given in a folder that was deleted is refused, exit 2: %s',
    async (command) => {
      const gone = project.path(`gone-${command}`);
      mkdirSync(gone);
      const script = 'rmdir "$PWD" && exec "$@"';
      const child = spawn('sh', ['-c', script, 'sh', process.execPath, BIN, command, 'x.sftrace'], {
        cwd: gone,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const [exitCode] = await once(child, 'close');
      expect(stderr).toBe('stepfork: the current directory is not there any more. Change to one that is.\n');
      expect(exitCode).toBe(2);
      expect(() => rmdirSync(gone)).toThrow('ENOENT');
    },
  );
});
