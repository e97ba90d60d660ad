import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdOutput } from '../../src/hold-output.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { createProject, type Project } from '../support/project.js';
import { type Ended, stepforkWith } from '../support/stepfork.js';

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
