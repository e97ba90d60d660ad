import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const CONFIG = fileURLToPath(new URL('../../../../vitest.config.ts', import.meta.url));
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const TEST = `import { record, traceTool } from '@stepfork/recorder';
import { assertToolNotCalled, replay } from '@stepfork/replay';

const charge = traceTool('charge_card', async (input) => ({ ...input, paid: true }));
const agent = () => record('shop', { output: 'shop.sftrace', overwrite: true }, () => charge({ amount: 12 }));

test('does not charge', async () => {
  await agent();
  const report = await replay('shop.sftrace', agent);
  assertToolNotCalled(report, 'charge_card');
});
`;

/** The names in the file are those of the sources; what a user's project would have installed. */
const CONFIGURED = `import config from ${JSON.stringify(CONFIG)};
export default { resolve: config.resolve, test: { globals: true } };
`;

it('a failure reads well in a test runner, which points at the line that asserted', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork-trajectory-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'shop.test.js'), TEST);
  writeFileSync(join(folder, 'vitest.config.mjs'), CONFIGURED);
  const { status, stdout, stderr } = spawnSync(process.execPath, [VITEST, 'run', '--root', folder], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  expect(stripVTControlCharacters(stdout + stderr)).toContain(`
StepforkError: expected tool 'charge_card' not to be called, but it was called once: call #1
the replayed run made 1 call:
  #1 tool 'charge_card' {"amount":12}: ok
 ❯ shop.test.js:10:3
`);
  expect(status).toBe(1);
});
