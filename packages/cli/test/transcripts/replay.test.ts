import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdOutput } from '../../src/hold-output.js';
import { type Agents, createAgents } from '../support/agents.js';
import { BIN, ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { startAgentHost } from '../support/in-agent-host.js';
import { type Ended, stepfork, stepforkWith } from '../support/stepfork.js';

const host = startAgentHost();
let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  await project.record('runAgent', 'failed.sftrace', { order_id: 'ORD-404' });
  project.write('plain.cjs', FROM_COMMONJS);
  project.write(
    'compiled.cjs',
    `Object.defineProperty(exports, '__esModule', { value: true });\n${FROM_COMMONJS}exports.default = exports.runAgent;\n`,
  );
}, 120_000);
afterAll(() => {
  host.stop();
  project?.remove();
});

const FROM_COMMONJS = "exports.runAgent = async (order) => (await import('./agent.mjs')).runAgent(order);\n";

const argvOf = (entrypoint: string, more: readonly string[]) =>
  ['replay', 'failure.sftrace', '--entrypoint', entrypoint, ...more] as const;
const replay = (entrypoint: string, ...more: string[]) => host.run(project.folder, ...argvOf(entrypoint, more));
/** In a process of its own: for what is about that. */
const replayAlone = (entrypoint: string, ...more: string[]) => stepfork(project.folder, ...argvOf(entrypoint, more));

it('loads an agent that makes its client while it loads, with no key in the environment', async () => {
  const made = "if (!process.env.OPENAI_API_KEY) throw new Error('no key');\nexport { runAgent } from './agent.mjs';\n";
  project.write('needs-key.mjs', made);
  const args = ['replay', 'failure.sftrace', '--entrypoint', 'needs-key.mjs:runAgent'];
  const ended = await stepforkWith({ OPENAI_API_KEY: undefined }, project.folder, ...args);
  expect([ended.exitCode, ended.stderr]).toEqual([0, '']);
});

describe('stepfork replay', () => {
  it('B271 B275 reports an agent that behaves as recorded, exit 0', async () => {
    const { exitCode, stdout, stderr } = await replayAlone('agent.mjs:runAgent');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^matched: the run was the recorded one\n/);
    expect(stdout).toContain('2 recorded, 2 answered from the recording, 0 executed');
    const { stdout: verbose } = await replay('agent.mjs:runAgent', '--verbose');
    expect(verbose).toContain('order_status');
    expect(verbose).toContain('small-1');
  });

  it.each([
    ['a TypeScript file, through a path alias', 'src/typed.ts:runAgent'],
    ['a default export', 'agent.mjs:default'],
    ['a member of an exported object', 'agent.mjs:agents.nested.runAgent'],
    ['a CommonJS module', 'plain.cjs:runAgent'],
    ['a CommonJS module compiled from an ES module', 'compiled.cjs:runAgent'],
    ['the default export of one', 'compiled.cjs:default'],
  ])('B253 runs %s', async (_, entrypoint) => {
    const { exitCode, stderr } = await replay(entrypoint);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it.each<[what: string, entrypoint: string, names: RegExp]>([
    ['drops a call', 'agent.mjs:skipping', /small-1/],
    ['adds a call', 'agent.mjs:eager', /order_status/],
  ])('B271 B276 reports an agent that %s as diverged, exit 1', async (_, entrypoint, names) => {
    const { exitCode, stdout } = await replay(entrypoint);
    expect(stdout).toContain('diverged');
    expect(stdout).toMatch(names);
    expect(exitCode).toBe(1);
  });

  it('B271 B276 B277 reports a changed argument as diverged, and shortens fingerprints unless all is asked for', async () => {
    const short = await replay('agent.mjs:drifted');
    expect(short.stdout).toContain('diverged');
    expect(short.stdout).toMatch(/order_status[\s\S]*ORD-1-x/);
    expect(short.exitCode).toBe(1);
    expect(short.stdout).toMatch(/\[[0-9a-f]{12}…\]/);
    expect(short.stdout).not.toMatch(/[0-9a-f]{64}/);
    expect((await replay('agent.mjs:drifted', '--verbose')).stdout).toMatch(/\[[0-9a-f]{64}\]/);
  });

  it('B274 B275 reports another output and a new exception, exit 1', async () => {
    expect(await replay('agent.mjs:fixed')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('should_notify'),
    });
    expect(await replay('agent.mjs:throwing')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('TypeError'),
    });
  });

  it('B273 reports the recorded failure when it comes again, exit 0', async () => {
    const again = await host.run(project.folder, 'replay', 'failed.sftrace', '--entrypoint', 'agent.mjs:runAgent');
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('RangeError') });
  });

  it('holds the output against an expectation: exit 0 when calls and output are right', async () => {
    const right = await replay('agent.mjs:fixed', '--expect-output', 'expected.json');
    expect(right).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('the output is the expected one') });
    const wrong = await replay('agent.mjs:runAgent', '--expect-output', 'expected.json');
    expect(wrong.stdout).toContain("behavior mismatch at 'should_notify': expected true, got false");
    expect(wrong.exitCode).toBe(1);
    expect((await replay('agent.mjs:skipping', '--expect-output', 'expected.json')).exitCode).toBe(1);
  });

  it('takes the input from a file', async () => {
    project.write('other.json', '{ "order_id": "ORD-2" }');
    const { exitCode, stdout } = await replay('agent.mjs:runAgent', '--input', 'other.json');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('ORD-2');
  });

  it.each<[what: string, flags: readonly string[], counts: string]>([
    ['a named model', ['--mode', 'hybrid', '--live-llm', 'acme/small-1'], '1 answered from the recording, 1 executed'],
    [
      'models and allowed tools',
      ['--mode', 'live', '--allow-live-tool', 'order_status'],
      '0 answered from the recording, 2 executed',
    ],
  ])('B210 B212 runs %s for real where it is told to', async (_, flags, counts) => {
    const { exitCode, stdout } = await replay('agent.mjs:runAgent', ...flags);
    expect(stdout).toContain(`2 recorded, ${counts}`);
    expect(exitCode).toBe(0);
  });

  it.each<[flags: readonly string[], stderr: string]>([
    [['--mode', 'manual'], 'mode manual needs a function that decides on each call'],
    [['--mode', 'hybrid'], '--mode hybrid needs --live-llm <model>'],
    [['--now', 'yesterday'], '--now needs recorded, real or a date like 2026-01-31T12:00:00Z'],
    [['--now', '2026-02-30'], '--now needs recorded, real or a date like 2026-01-31T12:00:00Z'],
    [['--now', '0'], '--now needs recorded, real or a date like 2026-01-31T12:00:00Z'],
    [['--overwrite'], '--overwrite is for --record'],
    [['--repeat', '0'], '--repeat needs a whole number above 0'],
    [['--repeat', '2', '--record', 'x.sftrace'], "'--record' and '--repeat' cannot be given together"],
    [['--live-llm', 'small-1'], '--live-llm is for --mode hybrid'],
    [['--allow-live-tool', 'order_status'], '--allow-live-tool is for --mode live'],
    [['--ignore', 'tool:order_status'], 'like tool:search=/now'],
    [['--mode', 'hybrid', '--live-llm', 'large'], "--live-llm names 'large', which the recording does not hold"],
  ])('B209 B211 refuses %j, exit 2', async (flags, message) => {
    const { exitCode, stderr } = await replay('agent.mjs:runAgent', ...flags);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it('writes the replayed run as a bundle, which diff compares with the recording', async () => {
    const { exitCode } = await replay('agent.mjs:fixed', '--record', 'candidate.sftrace');
    expect(exitCode).toBe(1);
    const diff = await commandLineIn(project.folder)('diff', 'failure.sftrace', 'candidate.sftrace');
    expect(diff).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('should_notify') });
    const again = await replay('agent.mjs:fixed', '--record', 'candidate.sftrace');
    expect(again).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('candidate.sftrace exists already; pass --overwrite to'),
    });
    const replaced = await replay('agent.mjs:runAgent', '--record', 'candidate.sftrace', '--overwrite');
    expect(replaced.exitCode).toBe(0);
  });

  it('refuses to write it where another process does, before the agent runs', async () => {
    const release = holdOutput(project.path('held.sftrace'));
    const { exitCode, stdout, stderr } = await replay('agent.mjs:talking', '--record', 'held.sftrace');
    release();
    expect(stderr).toMatch(/^stepfork: held\.sftrace is what process \d+ of Stepfork records to; [^\n]+\n$/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  });

  it('names flags in what it advises', async () => {
    await project.record('runAgent', 'inputless.sftrace', null);
    const inputless = await host.run(
      project.folder,
      'replay',
      'inputless.sftrace',
      '--entrypoint',
      'agent.mjs:careless',
    );
    expect(inputless.stdout).toContain('was called without arguments; --input gives some');
    expect((await replay('agent.mjs:shouting', '--verbose')).stdout).not.toMatch(/\boption \w/);
  });

  it('runs the agent as often as it is told to, and fails where runs disagree', async () => {
    const steady = await replay('agent.mjs:runAgent', '--repeat', '3');
    expect(steady).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('3 runs agreed') });
    const moody = await replay('agent.mjs:moody', '--repeat', '2', '--expect-output', 'expected.json');
    expect(moody).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('unsteady') });
  });

  it('replays an agent that knows what day it is in another time zone and folder', async () => {
    await project.record('dated', 'dated.sftrace');
    const argv = ['replay', '../dated.sftrace', '--entrypoint', '../agent.mjs:dated'];
    const replayed = (TZ: string, ...flags: string[]) => stepforkWith({ TZ }, project.path('src'), ...argv, ...flags);
    const inBoth = (...flags: string[]) =>
      Promise.all(['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) => replayed(zone, ...flags)));
    for (const ended of await inBoth()) {
      expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^matched:/) });
    }
    // Their days differ at every moment, so one of them is not the recorded one.
    expect((await inBoth('--now', 'real')).map(({ exitCode }) => exitCode)).toContain(1);
    expect(await host.run(project.path('src'), ...argv, '--now', '2020-02-29T12:00:00Z')).toMatchObject({
      exitCode: 1,
    });
  });

  it('replays every finished run of a folder, tells of each in the order of the list, and sums up', async () => {
    for (const [name, version] of [
      ['one', 'runAgent'],
      ['two', 'drifted'],
      ['three', 'fixed'],
    ] as const) {
      await project.record(version, `folder/${name}.sftrace`);
    }
    const runs = await host.run(project.folder, 'replay', 'folder', '--entrypoint', 'agent.mjs:runAgent');
    expect(runs.exitCode).toBe(1);
    expect(runs.stdout.split('\n')).toEqual([
      expect.stringMatching(/^output-changed {5}[0-9a-f]{8} {2}notify-agent$/),
      expect.stringMatching(
        /^diverged {11}[0-9a-f]{8} {2}notify-agent {2}call #1: tool 'order_status' was called with/,
      ),
      expect.stringMatching(/^matched {12}[0-9a-f]{8} {2}notify-agent$/),
      '3 replayed: 1 output-changed, 1 diverged, 1 matched',
      '',
    ]);
    const json = await host.run(
      project.folder,
      ...[
        'replay',
        'folder',
        '--entrypoint',
        'agent.mjs:runAgent',
        '--ignore',
        'tool:order_status=/order_id',
        '--json',
      ],
    );
    const document = JSON.parse(json.stdout) as { results: { verdict: string; document: object }[] };
    expect(document).toMatchObject({ schema: 'stepfork.replay-folder/1', folder: 'folder', unreadable: [] });
    expect(document.results.map(({ verdict }) => verdict)).toEqual(['output-changed', 'output-changed', 'matched']);
    expect(document.results[0]?.document).toMatchObject({ schema: 'stepfork.replay/1' });
  });

  it.each<[what: string, argv: readonly string[], exitCode: number, text: string]>([
    ['an empty folder', ['empty'], 2, ''],
    ['what is no bundle in it', ['broken'], 2, 'unreadable         broken/x.sftrace  it has no manifest.json'],
    ['an agent that is not there', ['folder', '--entrypoint', 'agent.mjs:none'], 2, ''],
    ['one place to record all into', ['folder', '--record', 'x.sftrace'], 2, ''],
  ])('given a folder, says of %s', async (_, [folder = '', ...flags], exitCode, text) => {
    project.write('empty/readme.md', '');
    project.write('broken/x.sftrace/readme.md', '');
    await project.record('runAgent', 'folder/one.sftrace').catch(() => {});
    const entrypoint = flags.includes('--entrypoint') ? [] : ['--entrypoint', 'agent.mjs:runAgent'];
    const ended = await host.run(project.folder, 'replay', folder, ...entrypoint, ...flags);
    expect([ended.exitCode, ended.stdout]).toEqual([exitCode, expect.stringContaining(text)]);
  });

  it('refuses every call in mode forbidden, exit 1', async () => {
    const { exitCode, stdout } = await replay('agent.mjs:runAgent', '--mode', 'forbidden');
    expect(stdout).toContain("was made, and mode 'forbidden' allows no call (policy)");
    expect(exitCode).toBe(1);
  });

  it('leaves out of the comparison what it is told to ignore, and says so', async () => {
    const { stdout } = await replay('agent.mjs:drifted', '--ignore', 'tool:order_status=/order_id');
    expect(stdout).toContain('calls      matched');
    expect(stdout).toContain('ignored    tool:order_status /order_id, 1 time');
  });

  it('leaves stdout to the report: what the agent prints goes to stderr', async () => {
    const { exitCode, stdout, stderr } = await replayAlone('agent.mjs:talking', '--json');
    const document = JSON.parse(stdout) as { schema: string; report: { verdict: string }; expectation: null };
    expect(document).toMatchObject({ schema: 'stepfork.replay/1', report: { verdict: 'matched' }, expectation: null });
    expect(stderr).toBe('working on it\nstill at it\n');
    expect(exitCode).toBe(0);
  });

  it('stops what reaches for the world, and names it with the place', async () => {
    const { stdout } = await replay('agent.mjs:shouting');
    expect(stdout).toMatch(/^ {2}blocked {4}spawn echo at agent\.mjs:\d+:\d+$/m);
  });

  it('leaves stdout to the report also where the agent writes to the descriptor, or a child of it does', async () => {
    const { exitCode, stdout, stderr } = await replayAlone('agent.mjs:shouting', '--allow', 'echo', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'stepfork.replay/1', report: { verdict: 'matched' } });
    expect(stderr).toBe('by descriptor\nby a child\n');
    expect(exitCode).toBe(0);
  });

  it('takes an agent whose process is killed for a failure, exit 1', async () => {
    const { exitCode, stdout, stderr } = await replayAlone('agent.mjs:crashing', '--json');
    expect(stderr).toMatch(
      /^stepfork: the process that ran the entrypoint was ended by SIGKILL before its result was in\./,
    );
    expect(JSON.parse(stdout)).toMatchObject({ error: 'entrypoint_ended_process' });
    expect(exitCode).toBe(1);
  });

  it.each([
    ['SIGINT', 'hanging', 130],
    ['SIGTERM', 'hanging', 143],
    // It neither listens nor lets anybody else listen.
    ['SIGINT', 'spinning', 130],
  ] as const)('ends at once by %s, whatever the agent is at: %s', async (signal, agent, code) => {
    const argv = ['replay', 'failure.sftrace', '--entrypoint', `agent.mjs:${agent}`];
    const child = spawn(process.execPath, [BIN, ...argv], { cwd: project.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed: string[] = [];
    child.stdout.on('data', (text) => printed.push(String(text)));
    child.stderr.once('data', () => child.kill(signal));
    const [exitCode] = await once(child, 'close');
    expect({ exitCode, printed }).toEqual({ exitCode: code, printed: [] });
  });

  it('ends although the agent left a timer, and tells what it left unhandled', async () => {
    const { exitCode, stdout, stderr } = await replayAlone('agent.mjs:lingering');
    expect(stdout).toContain('matched');
    expect(stderr).toBe(`stepfork: agent.mjs:lingering left a rejected promise unhandled: nobody awaits me
stepfork: agent.mjs:lingering left an error uncaught: nobody catches me
`);
    expect(exitCode).toBe(0);
  });

  it('takes an agent that ends the process for a failure, exit 1', async () => {
    const { exitCode, stdout, stderr } = await replayAlone('agent.mjs:quitting', '--json');
    expect(stderr).toMatch(
      /^stepfork: agent\.mjs:quitting ended the process with exit code 0 before its result was in\./,
    );
    expect(JSON.parse(stdout)).toMatchObject({ error: 'entrypoint_ended_process' });
    expect(exitCode).toBe(1);
  });

  it.each<[what: string, listener: string]>([
    ['sets another exit code', 'process.exitCode = 0;'],
    ['ends the process itself', 'process.exit(0);'],
  ])('keeps the exit code 1 where an exit listener of the agent %s', async (_, listener) => {
    project.write(
      'listening.mjs',
      `import { quitting, skipping } from './agent.mjs';
process.on('exit', () => { ${listener} });
process.once('exit', () => { ${listener} });
export { quitting, skipping };
`,
    );
    const [diverged, quit] = await Promise.all([
      replayAlone('listening.mjs:skipping'),
      replayAlone('listening.mjs:quitting'),
    ]);
    expect(diverged.stdout).toContain('diverged');
    expect(diverged.exitCode).toBe(1);
    expect(quit.stderr).toContain('ended the process with exit code 0 before its result was in');
    expect(quit.exitCode).toBe(1);
  });

  it('runs no body of a tool or a model', async () => {
    project.write(
      'counting.mjs',
      `import { appendFileSync } from 'node:fs';
import { traceTool } from '@stepfork/recorder';
const orderStatus = traceTool({ name: 'order_status', params: ['order_id'] }, async (order_id) => appendFileSync('ran', order_id));
export const run = ({ order_id }) => orderStatus(order_id);
`,
    );
    await replay('counting.mjs:run');
    expect(() => project.read('ran')).toThrow('ENOENT');
  });
});

describe('stepfork replay, given what it cannot use', () => {
  beforeAll(() => {
    project.write('throws.ts', '\n\nthrow new Error("no key\\nand more");\n');
    project.write('broken.ts', 'export const run = (: number) => 1;\n');
    project.write('empty.mjs', '');
    project.write('broken.json', '{ "a": }');
    project.write('infinite.json', '{ "a": [1, -1e400] }');
    project.write('waits.mjs', 'await new Promise(() => {});\n');
  });

  const refused = async (answer: Promise<Ended>, line: RegExp): Promise<void> => {
    const { exitCode, stdout, stderr } = await answer;
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^stepfork: [^\n]+\n$/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  };

  it.each<[what: string, entrypoint: string, line: RegExp]>([
    [
      'a missing export',
      'agent.mjs:runAgnet',
      /'agent\.mjs' has no export 'runAgnet'\. It exports .*runAgent.*did you mean 'runAgent'\?/,
    ],
    ['a file that exports nothing', 'empty.mjs:run', /'empty\.mjs' has no export 'run'\. It exports nothing\./],
    [
      'an export that is no function',
      'agent.mjs:notAFunction',
      /'agent\.mjs:notAFunction' is of type number, not a function\./,
    ],
    [
      'a member that an export inherits',
      'agent.mjs:agents.toString',
      /'agent\.mjs:agents\.toString' is of type undefined, not a function\./,
    ],
    ['a member of nothing', 'agent.mjs:agents.none.run', /'agent\.mjs:agents\.none\.run' is of type undefined/],
    ['a file that throws', 'throws.ts:run', /'throws\.ts' threw while loading: no key \(throws\.ts:3:7\)\./],
    ['a file that does not parse', 'broken.ts:run', /'broken\.ts' threw while loading: .*\(broken\.ts:1:\d+\)\./],
  ])('B253 B271 refuses %s in one line, exit 2', async (_, entrypoint, line) => refused(replay(entrypoint), line));

  it.each<[what: string, argv: string[], line: RegExp]>([
    ['no colon', ['agent.mjs'], /entrypoint 'agent\.mjs' must read <file>:<export>/],
    ['no export', ['agent.mjs:'], /entrypoint 'agent\.mjs:' must read <file>:<export>/],
    [
      'a missing file',
      ['agnet.mjs:runAgent'],
      /the entrypoint file 'agnet\.mjs' does not exist\. Did you mean 'agent\.mjs'\?/,
    ],
    [
      'an expectation that is not JSON',
      ['agent.mjs:runAgent', '--expect-output', 'broken.json'],
      /the expected output 'broken\.json' is not JSON: .*line 1.*\./,
    ],
    [
      'an expectation that is not there',
      ['agent.mjs:runAgent', '--expect-output', 'none.json'],
      /the expected output 'none\.json' does not exist\. Give the path of a JSON file\./,
    ],
    [
      'an expectation with a number too large',
      ['agent.mjs:runAgent', '--expect-output', 'infinite.json'],
      /the expected output 'infinite\.json' holds a number at a\[1\] that is too large: .* Correct the file\./,
    ],
    [
      'an input with one',
      ['agent.mjs:runAgent', '--input', 'infinite.json'],
      /the input 'infinite\.json' holds a number at a\[1\] that is too large/,
    ],
    [
      'an input that is not there',
      ['agent.mjs:runAgent', '--input', 'none.json'],
      /the input 'none\.json' does not exist\./,
    ],
  ])('B253 B271 refuses %s in one line before it loads anything, exit 2', async (_, argv, line) =>
    refused(commandLineIn(project.folder)('replay', 'failure.sftrace', '--entrypoint', ...argv), line),
  );

  it('takes a file that never finishes loading for a failure', async () => {
    const { exitCode, stderr } = await replayAlone('waits.mjs:run');
    expect(stderr).toMatch(/waits\.mjs:run ended the process .* before its result was in/);
    expect(exitCode).toBe(1);
  });

  it('B271 refuses a bundle that is not there, exit 2', async () => {
    const argv = ['replay', 'none.sftrace', '--entrypoint', 'agent.mjs:runAgent'] as const;
    await refused(
      commandLineIn(project.folder)(...argv),
      /^stepfork: .*none\.sftrace: there is no such bundle\. Give /,
    );
  });
});
