import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { expect, it } from 'vitest';
import { ownDirectory } from '../support/bundles.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();

it('keeps no secret in what it says of values that it cannot record', async () => {
  const output = join(directory(), 'run.sftrace');
  const tool = traceTool('t', async (_input: object) => 1);
  class Named {}
  Object.defineProperty(Named, 'name', { value: 'sk-eeeeeeeeFFFFFFFF' });
  await record('agent', { output }, () =>
    tool({
      'sk-aaaaaaaaBBBBBBBB': () => 1,
      get g(): never {
        throw new Error('token ghp_ccccccccDDDDDDDDeeeeeeeeFFFFFFFFgggg');
      },
      named: new Named(),
    }),
  );
  const texts = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
  for (const text of [...texts, (await warnings('unserializable')).join('\n')]) {
    expect(text).not.toMatch(/aaaaaaaaBBBBBBBB|ccccccccDDDDDDDD|eeeeeeeeFFFFFFFF/);
  }
  expect(texts.join('')).toContain('"type":"placeholder"');
});
