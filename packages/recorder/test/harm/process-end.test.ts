import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTrace, recoverBundle } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { bundlesIn, eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');
const run = programs(fileURLToPath(new URL('./programs', import.meta.url)));
const KILLS = process.env.STEPFORK_FULL === '1' ? 50 : 3;

describe('a process that ends inside a run', () => {
  it('leaves every call that had returned when it is killed', async () => {
    for (let kill = 1; kill <= KILLS; kill++) {
      const { signal, stdout } = await run('killed', {
        args: [join(directory(), `${kill}.sftrace`)],
        onOutput: (printed, child) => {
          if (printed.includes(`returned ${kill * 5}\n`)) child.kill('SIGKILL');
        },
      });
      expect(signal).toBe('SIGKILL');
      const returned = stdout.split('\n').length - 1;
      const [name = ''] = bundlesIn(directory()).filter((bundle) => bundle.startsWith(`${kill}.`));
      expect(name).toMatch(/^\d+\.[0-9a-f]{8}\.partial\.sftrace$/);
      const partial = join(directory(), name);
      expect(loadTrace(partial).status).toBe('running');
      const trace = loadSound(recoverBundle(partial).path);
      expect(trace.status).toBe('running');
      expect(eventsOf(trace, 'tool_result').length).toBeGreaterThanOrEqual(returned);
    }
  });

  it('leaves a failed bundle when a tool calls process.exit, and its exit code', async () => {
    const { code, stderr } = await run('exits-in-tool', { args: [path()] });
    expect([code, stderr]).toEqual([7, '']);
    const trace = loadSound(path());
    expect(outline(trace)).toEqual(['0 run_start', '1 tool_call quit < 0', '2 error ProcessExit < 0', '3 run_end']);
    expect(trace).toMatchObject({
      status: 'failed',
      failure: { type: 'ProcessExit', message: 'the process ended with exit code 7 before the run did', step: 2 },
    });
  });

  it('leaves a bundle that failed with the exception that nobody caught', async () => {
    const { code, stderr } = await run('throws-in-timer', { args: [path()] });
    expect(code).toBe(1);
    expect(stderr).toContain('RangeError: in a timer');
    expect(loadSound(path()).failure).toMatchObject({ type: 'RangeError', message: 'in a timer' });
  });

  it('lets a run go on where the program survives the exception', async () => {
    const { code, stdout } = await run('throws-in-timer', { args: [path(), 'survives'] });
    expect([code, stdout]).toEqual([0, 'finished\n']);
    expect(loadSound(path()).status).toBe('completed');
  });

  it('leaves a failed bundle when nothing keeps it alive', async () => {
    const { code } = await run('never-settles', { args: [path()] });
    expect(code).toBe(0);
    expect(loadSound(path()).failure).toMatchObject({
      message: 'the process ended with exit code 0 before the run did',
    });
  });

  it('dies of a rejection that nobody handles, as without a recorder', async () => {
    const { code, stdout, stderr } = await run('rejects-unhandled', { args: [path()] });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('nobody handles this');
    const trace = loadSound(path());
    expect(outline(trace).slice(1, 4)).toEqual([
      '1 tool_call fail < 0',
      '2 tool_result fail < 1',
      '3 error RangeError < 2',
    ]);
    expect(trace.failure).toMatchObject({ type: 'RangeError', message: 'nobody handles this' });
  });
});
