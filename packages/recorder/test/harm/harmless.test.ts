import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundlesIn, eventsOf, loadSound, ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');
const run = programs(fileURLToPath(new URL('./programs', import.meta.url)));

describe('the program around a recorded run', () => {
  it('finishes a shutdown of its own, by a listener that is called once', async () => {
    const { code, signal, stdout } = await run('graceful', { args: [path()] });
    expect({ code, signal, stdout }).toEqual({ code: 3, signal: null, stdout: 'cleaned up\n' });
    expect(loadSound(path()).failure?.type).toBe('ProcessSignal');
  });

  it('lives on where its callbacks answer by promises that reject', async () => {
    const { code, stdout } = await run('rejecting-callbacks', { args: [path()] });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'alive\n' });
    expect(loadSound(path()).status).toBe('completed');
  });

  it.each([
    'a method of all objects',
    'a toJSON of all lists',
    'a toJSON of all objects',
    'a clock that stands',
    'a clock that is none',
    'warnings that throw',
  ])('may have %s', async (how) => {
    const before = Date.now();
    const { code, stdout } = await run('odd-globals', { args: [path(), how] });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const trace = loadSound(path());
    expect(trace.status).toBe('completed');
    expect(eventsOf(trace, 'tool_result')[0]?.output).toMatchObject({
      when: { $stepfork: 'date', value: '1970-01-02T00:00:00.000Z' },
      list: [1, ['q']],
    });
    expect(Date.parse(trace.created_at)).toBeGreaterThanOrEqual(before - 1);
  });

  // Windows has no such limit.
  it.each(process.platform === 'win32' ? [] : ['ulimit -n 160'])(
    'has the descriptors that it needs: %s',
    async (limits) => {
      const { stdout } = await run('few-descriptors', { args: [directory()], limits });
      expect(stdout).toBe('[]');
      expect(bundlesIn(directory())).toHaveLength(64);
    },
  );

  it('may go deep: one frame for a boundary where nothing is recorded', async () => {
    const { stdout } = await run('deep', { args: [path()] });
    const { bare, outside, recorded, replaced, told } = JSON.parse(stdout);
    expect(bare / outside).toBeLessThan(6);
    expect(bare / recorded).toBeLessThan(12);
    expect(replaced).toBe(0);
    // Where the stack ends inside the recorder, it breaks off, and says so.
    for (const message of told) expect(message).toMatch(/broke off; what there is of it is in .*: Maximum call stack/);
    expect(bundlesIn(directory())).toHaveLength(2);
  });
});
