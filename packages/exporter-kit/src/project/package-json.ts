import { dirname, join } from 'node:path';
import { asRecord, parseJsonc } from './jsonc.js';
import { readText, upward } from './read.js';

/** What a project's package.json files say, the nearest one first. */
export interface Package {
  /** Folder of the nearest package.json, or null where there is none up to the root of the disk. */
  readonly folder: string | null;
  /** What a bare `.js` file is here. */
  readonly module: 'esm' | 'cjs';
  /** Whether a package.json from here upward, the workspace's root included, names this dependency. */
  readonly dependsOn: (name: string) => boolean;
  /** The `jest` section of the nearest package.json that has one, and where. */
  readonly jest: { readonly file: string; readonly value: unknown } | null;
}

export function readPackage(folder: string): Package {
  const found = upward(folder).flatMap((candidate) => {
    const file = join(candidate, 'package.json');
    const text = readText(file);
    const content = text === null ? null : parseJsonc(text);
    return content === null ? [] : [{ file, content }];
  });
  const [nearest] = found;
  const withJest = found.find(({ content }) => content.jest !== undefined);
  return {
    folder: nearest === undefined ? null : dirname(nearest.file),
    module: nearest?.content.type === 'module' ? 'esm' : 'cjs',
    dependsOn: (name) =>
      found.some(({ content }) =>
        ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].some(
          (section) => asRecord(content[section])?.[name] !== undefined,
        ),
      ),
    jest: withJest === undefined ? null : { file: withJest.file, value: withJest.content.jest },
  };
}
