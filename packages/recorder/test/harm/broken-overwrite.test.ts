import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { loadTrace, validateBundle } from '@stepfork/trace-format';
import { expect, it } from 'vitest';
import { ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const tool = traceTool('tool', async (n: number) => n);

it('leaves the bundle that was to be overwritten as it was, when the recording of its successor breaks off', async () => {
  const output = join(directory(), 'run.sftrace');
  await record('agent', { output }, () => tool(1));
  const before = loadTrace(output);
  const failures: string[] = [];
  const again = record(
    'agent',
    { output, overwrite: true, onError: ({ code }) => failures.push(code) },
    async (run) => {
      await tool(2);
      // What the recorder needs for the end is gone.
      rmSync(join(directory(), `run.${run.runId.slice(4, 12)}.partial.sftrace`), { recursive: true });
      return tool(3);
    },
  );
  expect(await again).toBe(3);
  expect(failures).toEqual(['recording_failed']);
  expect(loadTrace(output)).toEqual(before);
  expect(validateBundle(output, { verifyIntegrity: true })).toMatchObject({ valid: true, integrity: 'verified' });
});
