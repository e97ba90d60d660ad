import { describe, expect, it } from 'vitest';
import { memoryTerminal } from '../test/support/memory-terminal.js';
import { main } from './main.js';
import { COMMANDS } from './program.js';

async function run(...argv: string[]) {
  const terminal = memoryTerminal();
  const exitCode = await main(argv, terminal);
  return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

const NAMES = COMMANDS.map(({ name }) => name);

describe('the command line', () => {
  it('B280 answers a bare call with help and exit 0', async () => {
    const { exitCode, stdout, stderr } = await run();
    expect(exitCode).toBe(0);
    for (const command of NAMES) {
      expect(stdout).toMatch(new RegExp(`^ {2}stepfork ${command} `, 'm'));
    }
    expect(stderr).toBe('');
    expect(await run('--help')).toEqual({ exitCode, stdout, stderr });
    expect(await run('-h')).toEqual({ exitCode, stdout, stderr });
  });

  it('B280 answers --version with name and version', async () => {
    const answer = await run('--version');
    expect(answer).toMatchObject({ exitCode: 0, stderr: '' });
    expect(answer.stdout).toMatch(/^stepfork \d+\.\d+\.\d+\S*\n$/);
    expect(await run('validate', '--version')).toEqual(answer);
  });

  it('shows what a command takes, with an example', async () => {
    for (const command of NAMES) {
      const { exitCode, stdout, stderr } = await run(command, '--help');
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toContain('Examples:');
      expect(stdout).toContain(`  stepfork ${command} `);
    }
  });

  it('answers help <command> as <command> --help', async () => {
    expect(await run('help', 'replay')).toEqual(await run('replay', '--help'));
    expect(await run('help')).toEqual(await run('--help'));
  });

  it.each<[what: string, argv: string[], line: RegExp]>([
    ['help for a mistyped command', ['help', 'valdate'], /^stepfork: there is no command 'valdate'\. Did you mean/],
    ['a mistyped command', ['valdate', 'x'], /^stepfork: there is no command 'valdate'\. Did you mean 'validate'\?/],
    [
      'a word that is no command',
      ['frobnicate'],
      /^stepfork: there is no command 'frobnicate'\. Run 'stepfork --help'/,
    ],
    ['an option before any command', ['--bogus'], /^stepfork: there is no option '--bogus'\./],
    [
      'a mistyped option',
      ['validate', 'x', '--jsn'],
      /^stepfork: 'validate' has no option '--jsn'\. Did you mean '--json'\?/,
    ],
    [
      'a mistyped option that was required',
      ['replay', 'x', '--entrypont', 'a.ts:b'],
      /^stepfork: 'replay' has no option '--entrypont'\. Did you mean '--entrypoint'\?/,
    ],
    [
      'an option of no command',
      ['validate', 'x', '--frobnicate=1'],
      /^stepfork: 'validate' has no option '--frobnicate'\. Run/,
    ],
    ['one word too many', ['validate', 'a', 'b'], /^stepfork: 'validate' does not take 'b'\./],
    ['no bundle', ['validate'], /^stepfork: 'validate' needs <bundle>\./],
    ['one bundle of two', ['diff', 'a'], /^stepfork: 'diff' needs <baseline> and <candidate>\./],
    ['an option without its value', ['replay', 'x', '--entrypoint'], /^stepfork: '--entrypoint' needs a value\./],
    [
      'a mode that is not there',
      ['replay', 'x', '--entrypoint', 'a:b', '--mode', 'turbo'],
      /^stepfork: '--mode' cannot be "turbo"\. Give one of "frozen", "hybrid", "live", "forbidden", "manual"\./,
    ],
    [
      'two options that exclude each other',
      ['inspect', 'x', '--events', '--step', '1'],
      /^stepfork: '--events' and '--step' cannot be given together\./,
    ],
    [
      'a step that is no number',
      ['inspect', 'x', '--step', 'last'],
      /^stepfork: '--step' needs a whole number, not 'last'\./,
    ],
    ['a negative step', ['inspect', 'x', '--step=-1'], /^stepfork: '--step' needs a whole number, not '-1'\./],
    [
      'a place that is no place',
      ['scrub', 'x', '--pointer', 'evt_1:/a', '--pointer', '/input/token'],
      /^stepfork: '--pointer' must read <event_id>:<json-pointer>, not '\/input\/token'\./,
    ],
    [
      'a place that is no option',
      ['scrub', 'x', '--pointer', 'evt_1:/a', 'evt_2:/b'],
      /^stepfork: 'scrub' does not take /,
    ],
    ['nothing to scrub', ['scrub', 'x'], /^stepfork: 'scrub' needs --pointer or --value-from-stdin\./],
    ['an escape sequence', ['\u001b[31m'], /^stepfork: there is no command '\\u001b\[31m'\./],
  ])('B280 refuses %s in one line, exit 2', async (_, argv, line) => {
    const { exitCode, stdout, stderr } = await run(...argv);
    expect(stderr).toMatch(line);
    expect(stderr.split('\n')).toHaveLength(2);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('takes the last of an option that is given again', async () => {
    const { stderr } = await run('inspect', 'x.sftrace', '--step', 'one', '--step', '1');
    expect(stderr).toContain('x.sftrace: there is no such bundle');
    const again = await run('scrub', 'x.sftrace', '--pointer', 'a:/b', '--output', 'y', '--output', 'z.sftrace');
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('x.sftrace: there is no such bundle') });
  });

  it('answers a fault with a document too where --json was given', async () => {
    const { exitCode, stdout, stderr } = await run('inspect', 'nowhere.sftrace', '--json');
    const { error, message } = JSON.parse(stdout) as { error: string; message: string };
    expect(exitCode).toBe(2);
    expect(error).toBe('missing_bundle');
    expect(stderr).toBe(`stepfork: ${message}\n`);
  });

  it('shows the stack of a fault only with --debug', async () => {
    expect((await run('inspect', 'nowhere.sftrace')).stderr).not.toContain('    at ');
    expect((await run('inspect', 'nowhere.sftrace', '--debug')).stderr).toContain('    at ');
  });
});
