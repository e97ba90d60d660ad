import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './workspace.js';

/** Makes an empty folder a project in which the built packages are found without an installation. */
export function linkPackages(folder: string): void {
  symlinkSync(join(ROOT, 'packages/e2e/node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
}
