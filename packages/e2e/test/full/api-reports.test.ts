import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runNode } from '../../src/run.js';
import { ROOT } from '../../src/workspace.js';

test('what every public entry exports is on its page in packages/<package>/etc', async () => {
  const checked = await runNode([join(ROOT, 'scripts/api-reports.mjs'), '--check'], { cwd: ROOT });
  expect(checked.exit, checked.output).toBe(0);
});
