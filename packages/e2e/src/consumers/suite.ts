import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import type { PackedPackage } from '../pack.js';
import { remove, temporaryFolder } from '../temporary-folder.js';
import { FULL } from '../workspace.js';
import { CELLS, CHOSEN, nameOf } from './cell.js';
import { type Installed, install, OURS, type Setting } from './install.js';
import { redGreenRed } from './red-green-red.js';

/** Seven processes, on a machine that may have other things to do. */
const CELL_TIMEOUT = 400_000;

/** The registry of these tests answers for our scope alone: the package without one is installed from its file. */
const specifier = ({ manifest, file }: PackedPackage): string => (manifest.name.startsWith('@') ? manifest.name : file);

/**
 * The projects of one setting, installed once: what is under test is the packed packages, not npm.
 *
 * @param more further tests of what is installed there, which then is all that there is of ours
 */
export function describeConsumers(setting: Setting, more?: (installed: () => Installed) => void): void {
  const cells = (FULL ? CELLS : CHOSEN).filter(
    ({ packages, runner }) => packages === setting.packages && setting.runners.includes(runner),
  );
  describe.runIf(cells.length > 0)(
    `packed packages installed by ${setting.packages}, with ${setting.runners.join(' and ')}`,
    () => {
      const folder = temporaryFolder('consumer');
      let installed: Installed;
      beforeAll(async () => {
        const ours = more === undefined ? OURS : inject('packed').map(specifier);
        installed = await install(folder, setting, ours, inject('npmEnvironment'));
      });
      afterAll(() => remove(folder));

      test.each(cells.map((cell) => [nameOf(cell), cell] as const))(
        '%s: an exported test is red on the bug, green on the fix, and red on one more call',
        (_, cell) => redGreenRed(cell, installed),
        CELL_TIMEOUT,
      );
      more?.(() => installed);
    },
  );
}
