import type { TestProject } from 'vitest/node';
import { npmSettings } from './npm-settings.js';
import { type PackedPackage, packAll } from './pack.js';
import { serveRegistry } from './registry.js';
import { remove, temporaryFolder } from './temporary-folder.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The public packages as they would be published. */
    readonly packed: readonly PackedPackage[];
    /** Environment in which npm finds them. */
    readonly npmEnvironment: Record<string, string>;
  }
}

/** Packs and serves the packages once for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder('packed');
  const packed = await packAll(folder);
  const registry = await serveRegistry(packed);
  project.provide('packed', packed);
  project.provide('npmEnvironment', npmSettings(folder, registry.url));
  return async () => {
    await registry.close();
    remove(folder);
  };
}
