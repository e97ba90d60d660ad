import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicSources, type SourceFacts } from '../../src/source-facts.js';
import { publicPackages } from '../../src/workspace.js';

/** Who may import whom: the table of docs/architecture.md. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  '@stepfork/trace-format': ['zod', 'safe-stable-stringify'],
  '@stepfork/redact': ['@stepfork/trace-format'],
  '@stepfork/diff': ['@stepfork/trace-format', '@stepfork/redact'],
  '@stepfork/recorder': ['@stepfork/trace-format', '@stepfork/redact'],
  '@stepfork/replay': ['@stepfork/trace-format', '@stepfork/redact', '@stepfork/diff', '@stepfork/recorder'],
  '@stepfork/exporter-kit': [
    '@stepfork/trace-format',
    '@stepfork/redact',
    '@stepfork/diff',
    '@stepfork/recorder',
    '@stepfork/replay',
    'safe-stable-stringify',
  ],
  '@stepfork/exporter-vitest': ['@stepfork/exporter-kit', 'vitest'],
  '@stepfork/exporter-jest': ['@stepfork/exporter-kit', '@jest/globals', 'expect'],
  '@stepfork/adapter-anthropic': ['@stepfork/recorder'],
  '@stepfork/adapter-ai-sdk': ['@stepfork/recorder', '@stepfork/trace-format'],
  '@stepfork/adapter-openai': ['@stepfork/recorder'],
  '@stepfork/register': ['@stepfork/recorder', '@stepfork/trace-format'],
  '@stepfork/cli': [
    '@stepfork/trace-format',
    '@stepfork/redact',
    '@stepfork/diff',
    '@stepfork/recorder',
    '@stepfork/replay',
    '@stepfork/exporter-kit',
    '@stepfork/exporter-vitest',
    '@stepfork/exporter-jest',
    'jiti',
    'safe-stable-stringify',
    'yargs',
  ],
  stepfork: ['@stepfork/cli'],
};

const sources = publicSources();

describe('imports', () => {
  test('every public package has a row in the table', () => {
    expect(publicPackages().map(({ manifest }) => manifest.name)).toEqual(
      expect.arrayContaining(Object.keys(MAY_IMPORT)),
    );
    expect(Object.keys(MAY_IMPORT).sort()).toEqual(
      publicPackages()
        .map(({ manifest }) => manifest.name)
        .sort(),
    );
  });

  test('go down only', () => {
    const wrong = packageImports(sources).filter(
      ({ source, packageName }) => !(MAY_IMPORT[source.packageName] ?? []).includes(packageName),
    );
    expect(wrong.map(describeImport)).toEqual([]);
  });

  test('are declared by the package that makes them', () => {
    const manifests = new Map(publicPackages().map(({ manifest }) => [manifest.name, manifest]));
    const undeclared = packageImports(sources).filter(({ source, packageName }) => {
      const { dependencies, peerDependencies, devDependencies } = manifests.get(source.packageName) ?? {};
      // The command is one bundle: what it bundles is a development dependency.
      const bundled = source.packageName === '@stepfork/cli' ? devDependencies : {};
      return ![dependencies, peerDependencies, bundled].some((declared) => declared?.[packageName] !== undefined);
    });
    expect(undeclared.map(describeImport)).toEqual([]);
  });

  test('of an agent that records never reach what reads bundles, nor zod', () => {
    const reached = reachableFrom('@stepfork/recorder', '@stepfork/recorder/boundary');
    expect(reached).toContain('packages/trace-format/src/write.ts');
    expect(reached.filter((file) => file === 'packages/trace-format/src/index.ts' || file === 'zod')).toEqual([]);
  });

  test('of the replay take nothing of the recorder but its boundary', () => {
    const taken = packageImports(sources).filter(
      ({ source, specifier }) => source.packageName === '@stepfork/replay' && specifier === '@stepfork/recorder',
    );
    expect(taken.map(describeImport)).toEqual([]);
  });

  test('inside a package are relative and end in .js', () => {
    const relative = sources.flatMap((source) =>
      source.imports
        .filter(({ specifier }) => specifier.startsWith('.') && !/\.(js|json)$/.test(specifier))
        .map(({ specifier }) => `${source.file} imports ${specifier}`),
    );
    const own = packageImports(sources)
      .filter(({ source, packageName }) => packageName === source.packageName)
      .map(describeImport);
    expect([...relative, ...own]).toEqual([]);
  });
});

interface PackageImport {
  readonly source: SourceFacts;
  readonly specifier: string;
  readonly packageName: string;
  readonly typeOnly: boolean;
}

function packageImports(files: readonly SourceFacts[]): readonly PackageImport[] {
  return files.flatMap((source) =>
    source.imports
      .filter(({ specifier }) => !/^(\.|node:|\(computed\)$)/.test(specifier))
      .map(({ specifier, typeOnly }) => ({ source, specifier, packageName: packageOf(specifier), typeOnly })),
  );
}

/** Source files, and packages from outside, that are evaluated when these entries are imported. */
function reachableFrom(...entries: readonly string[]): readonly string[] {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { specifier, typeOnly, dynamic } of byFile.get(file)?.imports ?? []) {
      if (!typeOnly && !dynamic) visit(targetOf(specifier, file));
    }
  };
  for (const entry of entries) visit(targetOf(entry, ''));
  return [...reached];
}

/** `./a.js` → the source beside `file`; `@stepfork/redact` → its entry's source; anything else as it is. */
function targetOf(specifier: string, file: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
  const [, name, entry = 'index'] = /^@stepfork\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return name === undefined ? specifier : `packages/${name}/src/${entry}.ts`;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const describeImport = ({ source, specifier }: PackageImport): string => `${source.file} imports ${specifier}`;
