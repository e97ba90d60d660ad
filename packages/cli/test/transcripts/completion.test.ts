import { execFile } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { BIN, ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { saveRun } from '../support/trace-folder.js';

let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', '.stepfork/traces/one.sftrace');
  const folder = project.path('.stepfork/traces');
  saveRun(folder, 'two', {
    agentName: 'refund',
    runId: `run_beef${'0'.repeat(28)}`,
    createdAt: '2020-01-01T00:00:00Z',
  });
  saveRun(folder, 'evil', { agentName: '$(touch owned)', createdAt: '2020-01-01T00:00:00Z' });
  project.write('bin/stepfork', `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(project.path('bin/stepfork'), 0o755);
}, 120_000);
afterAll(() => project?.remove());

const run = (...argv: string[]) => commandLineIn(project.folder)(...argv);
const candidates = async (line: string): Promise<readonly string[]> =>
  (await run('--get-completions', line)).stdout.split('\n').filter((text) => text !== '');

describe('completions', () => {
  it.each<[line: string, expected: readonly string[]]>([
    ['stepfork in', ['inspect', 'init']],
    ['stepfork --v', ['--version']],
    ['stepfork inspect --e', ['--events', '--errors-only']],
    ['stepfork replay x --mode ', ['frozen', 'hybrid', 'live', 'forbidden', 'manual']],
    ['stepfork replay x --mode=f', ['--mode=frozen', '--mode=forbidden']],
    ['stepfork list --agent re', ['refund']],
    ['stepfork inspect bee', ['beef0000']],
    ['stepfork inspect latest:', ['latest:notify-agent', 'latest:refund']],
    ['stepfork diff beef0000 lat', ['latest', 'latest:notify-agent', 'latest:refund']],
    ['stepfork diff --ignore x beef0000 bee', ['beef0000']],
    ['stepfork export x --to ', ['vitest', 'jest']],
    ['stepfork export x --to=v', ['--to=vitest']],
    ['stepfork help rep', ['replay']],
    ['/usr/bin/stepfork completion', ['completion']],
    // Files, which the shell completes.
    ['stepfork replay x --entrypoint ', []],
    ['stepfork inspect beef0000 ', []],
    ['stepfork list ', []],
    ['stepfork frobnicate ', []],
  ])('go on with %j', async (line, expected) => {
    expect([...(await candidates(line))].sort()).toEqual([...expected].sort());
  });

  it('offer every command', async () => {
    const offered = await candidates('stepfork ');
    const { stdout } = await run('--help');
    for (const [, name] of stdout.matchAll(/^ {2}stepfork (\w+)/gm)) expect(offered).toContain(name);
  });

  it('offer nothing of a trace that a shell could take for more than a word', async () => {
    expect((await candidates('stepfork inspect ')).join('\n')).not.toMatch(/touch|\$/);
  });

  it('are quiet where there is nothing to look at', async () => {
    project.write('broken/stepfork.config.json', '{');
    const { exitCode, stdout, stderr } = await commandLineIn(project.path('broken'))(
      '--get-completions',
      'stepfork inspect ',
    );
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('work in bash, also where it breaks words', async () => {
    const complete = async (line: string): Promise<string> => {
      const script = `source <(stepfork completion bash)
COMP_LINE=$1 COMP_POINT=\${#1}
_stepfork_complete
printf '%s\\n' "\${COMPREPLY[@]}"; complete -p stepfork`;
      const env = { ...process.env, PATH: `${project.path('bin')}:${process.env.PATH}` };
      const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script, 'bash', line], {
        cwd: project.folder,
        env,
      });
      return stdout
        .replace('complete -o default -F _stepfork_complete stepfork\n', '')
        .trim()
        .split('\n')
        .sort()
        .join(' ');
    };
    expect(await complete('stepfork insp')).toBe('inspect');
    expect(await complete('stepfork inspect latest:r')).toBe('refund');
    expect(await complete('stepfork replay x --mode=f')).toBe('forbidden frozen');
    expect(await complete('stepfork replay x --entrypoint age')).toBe('');
  });

  // Not every machine has it.
  it.each(['/bin/zsh', '/usr/bin/zsh', '/usr/local/bin/zsh'].filter((file) => existsSync(file)).slice(0, 1))(
    'work in zsh: %s',
    async (zsh) => {
      const complete = async (...words: string[]): Promise<string> => {
        // What zle brings along, as far as the script asks for it.
        const script = `compdef() {}; compadd() { shift; print -l -- "$@"; }; _files() { print files; }
source <(stepfork completion zsh)
words=("$@"); CURRENT=$#; _stepfork_complete`;
        const env = { ...process.env, PATH: `${project.path('bin')}:${process.env.PATH}` };
        const argv = ['-f', '-c', script, 'zsh', 'stepfork', ...words];
        const { stdout } = await promisify(execFile)(zsh, argv, { cwd: project.folder, env });
        return stdout.trim().split('\n').sort().join(' ');
      };
      expect(await complete('insp')).toBe('inspect');
      expect(await complete('inspect', 'latest:r')).toBe('latest:refund');
      expect(await complete('replay', 'x', '--mode=f')).toBe('--mode=forbidden --mode=frozen');
      expect(await complete('replay', 'x', '--entrypoint', 'age')).toBe('files');
    },
  );

  it('are for bash and zsh, or the shell in use', async () => {
    expect((await run('completion', 'zsh')).stdout).toMatch(/^#compdef stepfork\n/);
    expect((await run('completion')).stdout).toMatch(/stepfork_complete/);
    const { exitCode, stdout, stderr } = await run('completion', 'fish');
    expect(stderr).toBe("stepfork: there are completions for bash and zsh, not for 'fish'. Give one of the two.\n");
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});
