import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundlesIn, ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';

const directory = ownDirectory();
const run = programs(fileURLToPath(new URL('./programs', import.meta.url)));

describe('STEPFORK_DISABLED=1', () => {
  it('turns every boundary into the bare call, and records nothing', async () => {
    const output = join(directory(), 'run.sftrace');
    const { code, stdout, stderr } = await run('disabled', { args: [output], env: { STEPFORK_DISABLED: '1' } });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({ kept: true, recorded: 3, started: 'run_', listening: [false] });
    expect(bundlesIn(directory())).toEqual([]);
  });

  it('does not look at whether the path is taken, because nothing is written', async () => {
    const output = join(directory(), 'run.sftrace');
    mkdirSync(output);
    writeFileSync(join(output, 'manifest.json'), 'kept');
    const { code, stderr } = await run('disabled', { args: [output], env: { STEPFORK_DISABLED: '1' } });
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(join(output, 'manifest.json'), 'utf8')).toBe('kept');
  });

  it('is the only value that switches it off', async () => {
    const output = join(directory(), 'run.sftrace');
    for (const STEPFORK_DISABLED of ['', '0', 'true']) {
      const { code, stderr } = await run('disabled', { args: [output], env: { STEPFORK_DISABLED } });
      // The second run finds its path taken by the first.
      expect(code).toBe(1);
      expect(stderr).toContain('output_exists');
      rmSync(output, { recursive: true });
    }
  });
});

describe('importing the recorder', () => {
  it('loads no zod, which cannot be found where this runs', async () => {
    const { code, stdout, stderr } = await run('imports');
    expect([code, stderr]).toEqual([0, '']);
    const [recorder, boundary] = JSON.parse(stdout) as string[][];
    expect(recorder).toEqual([
      'llmRequest',
      'record',
      'saveTrace',
      'startRecording',
      'traceAgent',
      'traceTool',
      'traceTools',
    ]);
    expect(boundary).toContain('slot');
  });
});
