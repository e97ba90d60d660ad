import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdOutput } from '../../src/hold-output.js';
import { BIN, ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { createProject, type Project } from '../support/project.js';
import { HAS_PTY, inTerminal } from '../support/pty.js';
import { type Ended, environmentWith, stepforkWith } from '../support/stepfork.js';

const ASK = `
const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] });
const headers = { 'content-type': 'application/json' };
const response = await fetch(process.env.ORIGIN + '/v1/chat/completions', { method: 'POST', headers, body });
const answer = await response.json();
console.log(answer.choices[0].message.content, ...process.argv.slice(2));
`;

let server: Server;
let project: Project;
beforeAll(async () => {
  await ensureBuilt();
  server = createServer((request, response) => {
    request.resume();
    const message = { role: 'assistant', content: 'hello' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ model: 'gpt-4o-mini', choices: [{ message }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project = createProject({
    'agent.mjs': ASK,
    'failing.mjs': `${ASK}\nthrow new RangeError('no such order');`,
    'exits.mjs': 'process.exit(7);',
    'lost.mjs': `${ASK}\nprocess.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);`,
    'heard.mjs': `for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  process.stdout.write('heard ' + signal + '\\n', () => process.exit(3));
});
setInterval(() => {}, 1000);
console.log('ready');`,
    'deaf.mjs': "setInterval(() => {}, 1000); console.log('ready');",
    'counts.mjs': `let heard = 0;
process.on('SIGINT', () => {
  heard++;
  // A second one would come right after the first.
  setTimeout(() => process.stdout.write('heard ' + heard + '\\n', () => process.exit(4)), 300);
});
setInterval(() => {}, 1000);
console.log('ready');`,
    'killed.mjs': "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);",
  });
  project.write(
    'package.json',
    '{ "name": "agents", "type": "module", "scripts": { "start": "node agent.mjs started" } }\n',
  );
  project.install('register');
}, 120_000);
afterAll(() => {
  project?.remove();
  server?.close();
});

const run = (...argv: string[]): Promise<Ended> => {
  const { port } = server.address() as AddressInfo;
  return stepforkWith({ ORIGIN: `http://127.0.0.1:${port}` }, project.folder, ...argv);
};

const read = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);

describe('stepfork record', () => {
  it('says that nothing was recorded where no program of Node ran', async () => {
    const { exitCode, stdout, stderr } = await run('record', '--', 'sh', '-c', 'echo done; exit 4');
    expect([exitCode, stdout]).toEqual([4, 'done\n']);
    expect(stderr).toContain('stepfork: nothing was recorded: no program of Node ran that could be.');
  });

  it('runs nothing for an output that is no bundle, exit 2', async () => {
    const { exitCode, stdout, stderr } = await run('record', '--output', 'bad.txt', '--', 'node', 'agent.mjs');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toBe("stepfork: bad.txt: the name of a trace bundle must end in '.sftrace'; nothing was run\n");
  });

  it('records a program as it is, with its output and its arguments', async () => {
    const { exitCode, stdout, stderr } = await run(
      ...['record', '--agent', 'greeter', '--output', 'run.sftrace', '--', 'node', 'agent.mjs', '--loud', 'x y'],
    );
    expect([exitCode, stdout]).toEqual([0, 'hello --loud x y\n']);
    expect(stderr).toBe("stepfork: recorded 'greeter', 1 call, in run.sftrace\n");
    expect((await read('validate', 'run.sftrace', '--verify-integrity')).exitCode).toBe(0);
    const shown = (await read('inspect', 'run.sftrace')).stdout;
    expect(shown).toContain('greeter');
    expect(shown).toContain('gpt-4o-mini');
  });

  it('replaces a bundle only where it is told to', async () => {
    const argv = (...flags: string[]) => ['record', '--output', 'twice.sftrace', ...flags, '--', 'node', 'agent.mjs'];
    expect((await run(...argv())).exitCode).toBe(0);
    const again = await run(...argv());
    expect([again.exitCode, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toBe(
      'stepfork: twice.sftrace exists already; pass --overwrite to replace it, or name another place\n',
    );
    expect((await run(...argv('--overwrite'))).exitCode).toBe(0);
  });

  it('refuses a place that another process records to, before the program runs', async () => {
    const release = holdOutput(project.path('held.sftrace'));
    const argv = ['record', '--output', 'held.sftrace', '--overwrite', '--', 'node', 'agent.mjs'];
    try {
      expect(await run(...argv)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `stepfork: held.sftrace is what process ${process.pid} of Stepfork records to; wait until that has ended, or name another place\n`,
      });
    } finally {
      release();
    }
    expect((await run(...argv)).exitCode).toBe(0);
  });

  it('records what a launcher starts, and not the launcher', async () => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const { exitCode, stdout, stderr } = await run('record', '--output', 'npm.sftrace', '--', npm, 'start', '--silent');
    expect([exitCode, stdout]).toEqual([0, 'hello started\n']);
    expect(stderr).toContain("stepfork: recorded 'agent', 1 call, in npm.sftrace\n");
  });

  it('ends as the program does, which fails the run', async () => {
    const [thrown, exited, killed] = await Promise.all([
      run('record', '--output', 'failing.sftrace', '--', 'node', 'failing.mjs'),
      run('record', '--output', 'exits.sftrace', '--', 'node', 'exits.mjs'),
      run('record', '--output', 'killed.sftrace', '--', 'node', 'killed.mjs'),
    ]);
    expect(thrown.exitCode).toBe(1);
    expect(thrown.stderr).toContain('no such order');
    expect((await read('inspect', 'failing.sftrace')).stdout).toContain('RangeError');
    expect([exited.exitCode, killed.exitCode]).toEqual([7, 137]);
  });

  it('says what a program that was killed has left, and what makes a bundle of it', async () => {
    for (const [output, name] of [
      [['--output', 'lost.sftrace'], 'lost\\.\\w+\\.partial\\.sftrace'],
      [[], '\\.stepfork/traces/\\S+\\.partial\\.sftrace'],
    ] as const) {
      const { exitCode, stderr } = await run('record', ...output, '--', 'node', 'lost.mjs');
      const line = new RegExp(
        `^stepfork: SIGKILL ended the program while it was recorded\\. What it had recorded so far is in (${name}), which this makes a bundle: stepfork (recover \\1)\\n$`,
      );
      expect(stderr).toMatch(line);
      expect(exitCode).toBe(137);
      const [, , recover = ''] = line.exec(stderr) ?? [];
      expect((await read(...recover.split(' '))).stdout).toMatch(/^recovered /);
    }
  });

  it.each([
    ['SIGINT', 'heard.mjs', 'heard SIGINT\n', 3],
    ['SIGTERM', 'heard.mjs', 'heard SIGTERM\n', 3],
    ['SIGINT', 'deaf.mjs', '', 130],
  ] as const)('hands %s on, which reached it alone: %s', async (signal, script, heard, code) => {
    const argv = [BIN, 'record', '--', 'node', script];
    const env = environmentWith({});
    // With no terminal around it, as a supervisor has it.
    const child = spawn(process.execPath, argv, { cwd: project.folder, env, detached: true });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (text === 'ready\n') child.kill(signal);
    });
    const [exitCode] = await once(child, 'close');
    expect([exitCode, stdout]).toEqual([code, `ready\n${heard}`]);
  });

  it.each(HAS_PTY ? ['a terminal'] : [])('leaves Ctrl-C to %s, which reaches the program once', async () => {
    const { exitCode, output } = await inTerminal(project.folder, ['record', '--', 'node', 'counts.mjs'], {
      typed: { after: 'ready', text: String.fromCharCode(3) },
    });
    expect(output).toContain('heard 1\n');
    expect(exitCode).toBe(4);
  });

  it('says what is wrong with its own command line', async () => {
    for (const argv of [['record'], ['record', 'node', 'agent.mjs'], ['record', '--']]) {
      const { exitCode, stderr } = await read(...argv);
      expect([exitCode, stderr]).toEqual([
        2,
        "stepfork: 'record' needs the program after '--': stepfork record -- node agent.js\n",
      ]);
    }
    const { exitCode, stderr } = await run('record', '--', 'no-such-program');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^stepfork: 'no-such-program' could not be started: .*ENOENT.* Check its name and the PATH\.\n$/,
    );
  });
});
