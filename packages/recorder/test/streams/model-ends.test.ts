import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recoverBundle } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { bundlesIn, loadSound, outline, ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';
import { streamRecords } from '../support/stream-records.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');
const run = programs(fileURLToPath(new URL('./programs', import.meta.url)));

/** The one recording that broke off. */
function recovered(): ReturnType<typeof loadSound> {
  const [name = ''] = bundlesIn(directory());
  return loadSound(recoverBundle(join(directory(), name)).path);
}

describe("a process that ends while a model's answer is read, which is written beside its reader", () => {
  it('leaves what was given before other work had its turn, when it is killed', async () => {
    const { signal, stdout } = await run('model-ends', {
      args: [path(), 'killed'],
      onOutput: (printed, child) => {
        if (printed.includes('given 20\n')) child.kill('SIGKILL');
      },
    });
    expect(signal).toBe('SIGKILL');
    const { chunks, opening } = streamRecords(recovered());
    expect(opening?.kind).toBe('async-generator');
    expect(chunks.length).toBeGreaterThanOrEqual(stdout.split('\n').length - 1);
    expect(chunks).toEqual(chunks.map((_, index) => index + 1));
  });

  it.each([
    ['exits', 7],
    ['throws', 1],
  ])('leaves all that was given, to the very last, when it %s', async (ending, exitCode) => {
    const { code } = await run('model-ends', { args: [path(), ending] });
    expect(code).toBe(exitCode);
    expect(streamRecords(loadSound(path())).chunks).toEqual([1, 2, 3]);
  });

  it('leaves what was given before a call that it made in the same breath', async () => {
    const { signal } = await run('model-ends', { args: [path(), 'kills itself in a tool'] });
    expect(signal).toBe('SIGKILL');
    const trace = recovered();
    expect(outline(trace).slice(2)).toEqual([
      '2 tool_call look < 0',
      '3 tool_result look < 2',
      '4 tool_call look < 0',
      '5 tool_result look < 4',
      '6 tool_call look < 0',
      '7 tool_result look < 6',
    ]);
    expect(streamRecords(trace).chunks).toEqual([1, 2, 3]);
    // Beside each chunk stands the event that comes after it.
    expect(streamRecords(trace).records.map(({ step }) => step)).toEqual([2, 4, 6]);
  });
});
