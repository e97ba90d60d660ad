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
    expect(JSON.parse(stdout)).toEqual({ kept: true, output: 3 });
    expect(bundlesIn(directory())).toEqual([]);
  });
});

describe('importing the recorder', () => {
  it('loads no zod, which cannot be found where this runs', async () => {
    const { code, stdout, stderr } = await run('imports');
    expect([code, stderr]).toEqual([0, '']);
    const [recorder, boundary] = JSON.parse(stdout) as string[][];
    expect(recorder).toEqual(['llmRequest', 'record', 'saveTrace', 'startRecording', 'traceAgent', 'traceTool']);
    expect(boundary).toContain('slot');
  });
});
