import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadTrace, type TraceEvent, validateBundle } from '@stepfork/trace-format';
import { build } from 'tsup';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where code blocks are found, and what they are run with. */
export interface Documentation {
  /** Paths from the repository's root. */
  readonly pages: readonly string[];
  /** The package where the SDK is installed: `adapter-openai`. */
  readonly packageName: string;
  /** Names of packages that are not built into the programs. */
  readonly sdks: readonly string[];
}

/** What became of one block of TypeScript that was run as the program that it is. */
export interface BlockRun {
  readonly stderr: string;
  /** What is wrong with the bundle that it recorded. */
  readonly issues: readonly unknown[];
  readonly events: readonly TraceEvent[];
}

/** The blocks of a documentation as programs. */
export interface Blocks {
  readonly names: readonly string[];
  readonly build: () => Promise<void>;
  readonly run: (name: string, env: Readonly<Record<string, string>>) => Promise<BlockRun>;
  readonly remove: () => void;
}

export function codeBlocks({ pages, packageName, sdks }: Documentation): Blocks {
  const sources = mkdtempSync(join(tmpdir(), 'stepfork-blocks-'));
  // Where the SDKs are found.
  const built = mkdtempSync(join(ROOT, `packages/${packageName}/node_modules/.blocks-`));
  const names = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], index) => {
      const name = `${basename(page, '.md')}-${index}`;
      writeFileSync(join(sources, `${name}.ts`), code);
      return name;
    }),
  );
  return {
    names,
    build: () =>
      build({
        config: false,
        silent: true,
        entry: Object.fromEntries(names.map((name) => [name, join(sources, `${name}.ts`)])),
        outDir: built,
        outExtension: () => ({ js: '.mjs' }),
        format: ['esm'],
        platform: 'node',
        target: 'node20',
        tsconfig: join(ROOT, 'tsconfig.json'),
        external: [...sdks],
        noExternal: [/^@stepfork\//],
      }),
    async run(name, env) {
      const cwd = join(sources, `run-${name}`);
      mkdirSync(cwd);
      const { stderr } = await promisify(execFile)(process.execPath, [join(built, `${name}.mjs`)], {
        cwd,
        env: { ...process.env, ...env },
      });
      const traces = join(cwd, '.stepfork', 'traces');
      const [bundle = ''] = readdirSync(traces).filter((file) => file.endsWith('.sftrace'));
      const { issues } = validateBundle(join(traces, bundle));
      return { stderr, issues, events: loadTrace(join(traces, bundle)).events };
    },
    remove() {
      for (const folder of [sources, built]) rmSync(folder, { recursive: true });
    },
  };
}
