import {
  closeSync,
  existsSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
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

/** Where open descriptors are listed. */
const PLACES = process.platform === 'linux' ? ['/proc/self/fd'] : [];

it.each(PLACES)('gives the tool its answer where a file of the recorder cannot even be closed: %s', async (place) => {
  const output = join(directory(), 'run.sftrace');
  await record('agent', { output }, () => tool(1));
  const before = loadTrace(output);
  const failures: string[] = [];
  const again = record('agent', { output, overwrite: true, onError: ({ code }) => failures.push(code) }, async () => {
    await tool(2);
    for (const descriptor of readdirSync(place).map(Number)) {
      if (fileOf(descriptor).startsWith(directory())) closeSync(descriptor);
    }
    return tool(3);
  });
  expect(await again).toBe(3);
  expect(failures).toEqual(['recording_failed']);
  expect(loadTrace(output)).toEqual(before);
});

function fileOf(descriptor: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

it.each<[string, (work: string) => void]>([
  ['its events were removed', (work) => rmSync(join(work, 'events.jsonl'))],
  ['its events were cut', (work) => truncateSync(join(work, 'events.jsonl'), 20)],
  [
    'a link stands in its place',
    (work) => {
      renameSync(work, `${work}.away`);
      symlinkSync(`${work}.away`, work);
    },
  ],
])('seals no bundle of which %s, and says so', async (_how, tamper) => {
  const output = join(directory(), 'run.sftrace');
  const failures: unknown[] = [];
  const result = await record(
    'agent',
    { output, onError: (error) => failures.push(error.details.code) },
    async (run) => {
      await tool(1);
      tamper(join(directory(), `run.${run.runId.slice(4, 12)}.partial.sftrace`));
      return tool(2);
    },
  );
  expect(result).toBe(2);
  expect(failures).toEqual(['bundle_changed']);
  expect(existsSync(output)).toBe(false);
});
