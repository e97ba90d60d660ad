import { InternalError, StepforkError } from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { memoryTerminal } from '../test/support/memory-terminal.js';
import { reportFailure } from './failure.js';

function report(error: unknown, options: { json?: boolean; debug?: boolean } = {}) {
  const terminal = memoryTerminal();
  const exitCode = reportFailure(error, terminal, { json: false, debug: false, ...options });
  return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

describe('reportFailure', () => {
  it('tells bad input in one line, exit 2', () => {
    expect(report(new StepforkError('invalid_json', 'x.json:3 is not JSON. Correct it.'))).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'stepfork: x.json:3 is not JSON. Correct it.\n',
    });
  });

  it('tells what could not be done safely by exit 1', () => {
    for (const code of [
      'output_exists',
      'output_is_directory',
      'replay_failed',
      'missing_step',
      'bundle_changed',
      'nothing_to_scrub',
      'scrub_incomplete',
    ]) {
      expect(report(new StepforkError(code, 'no')).exitCode).toBe(1);
    }
  });

  it('adds what to do next to what a library says, unless that says so itself', () => {
    const told = (code: string, message: string): string => report(new StepforkError(code, message)).stderr;
    expect(told('invalid_pack', 'x.sftrace: the packed bundle was changed')).toBe(
      'stepfork: x.sftrace: the packed bundle was changed. Take the file from where it was whole.\n',
    );
    for (const message of ['x exists; name another place', 'x exists. Move it.', 'x exists: pass --overwrite']) {
      expect(told('output_exists', message)).toBe(`stepfork: ${message}\n`);
    }
    expect(told('constructor', 'no')).toBe('stepfork: no\n');
  });

  it('tells what the operating system refused in one line, exit 2', () => {
    const error = Object.assign(new Error("EACCES: permission denied, open 'x'"), { code: 'EACCES', syscall: 'open' });
    expect(report(error)).toMatchObject({
      exitCode: 2,
      stderr: "stepfork: EACCES: permission denied, open 'x'. Check that the path is right and may be used.\n",
    });
  });

  it('tells a bug of ours by exit 70, and how to report it', () => {
    for (const error of [new InternalError('no way'), new TypeError('x is not a function'), 'a string', null]) {
      const { exitCode, stderr } = report(error);
      expect(exitCode).toBe(70);
      expect(stderr).toContain('Please report it at https://');
      expect(stderr).not.toContain('    at ');
    }
  });

  it('shows stacks and causes with debug', () => {
    const { stderr } = report(new StepforkError('x', 'outer', { cause: new Error('inner') }), { debug: true });
    expect(stderr).toMatch(/StepforkError: outer\n {4}at [\s\S]*caused by: Error: inner\n {4}at /);
  });

  it('escapes what an error quotes', () => {
    expect(report(new StepforkError('x', "agent '\u001b[2J\u202e' is odd")).stderr).toBe(
      "stepfork: agent '\\u001b[2J\\u202e' is odd\n",
    );
  });

  it('gives a document as well with json', () => {
    expect(JSON.parse(report(new StepforkError('missing_step', 'no step 9'), { json: true }).stdout)).toEqual({
      schema: 'stepfork.error/1',
      error: 'missing_step',
      message: 'no step 9',
    });
  });
});
