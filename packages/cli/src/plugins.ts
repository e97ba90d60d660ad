import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  assertExporter,
  type Exporter,
  type RegressionCase,
  type RenderedFile,
  renderCase,
} from '@stepfork/exporter-kit';
import { isStepforkError, StepforkError } from '@stepfork/trace-format/write';
import { messageOf } from './failure.js';
import { importModule } from './import-module.js';
import { nearest } from './nearest.js';
import { projectFolder } from './project-folder.js';

export interface FoundExporter {
  readonly exporter: Exporter;
  /** The package that the project lacks although the tests it writes import it; null when nothing is missing. */
  readonly missing: string | null;
}

/** What the CLI brings along, for a project that has not installed its exporter yet. */
const BUNDLED: Readonly<Record<string, () => Promise<object>>> = {
  '@stepfork/exporter-vitest': () => import('@stepfork/exporter-vitest'),
  '@stepfork/exporter-jest': () => import('@stepfork/exporter-jest'),
};

/**
 * The exporter that `--to` names: `vitest` for `@stepfork/exporter-vitest`, any package by its name, or a file
 * by its path. The project of the current directory is asked first.
 */
export async function findExporter(name: string): Promise<FoundExporter> {
  const isFile = /^\.{0,2}[\\/]|^[^@].*\.[cm]?[jt]s$/.test(name);
  const specifier = isFile || /[@/]/.test(name) ? name : `@stepfork/exporter-${name}`;
  const url = await resolveFromProject(specifier, isFile);
  if (url !== null) return { exporter: await load(() => importModule(url), name), missing: null };
  const bundled = BUNDLED[specifier];
  if (bundled !== undefined) {
    return { exporter: await load(async () => new Map(Object.entries(await bundled())), name), missing: specifier };
  }
  throw new StepforkError(
    'exporter_missing',
    isFile
      ? `there is no exporter file '${name}'. Give a path from the current directory.`
      : `this project has no exporter '${specifier}'. ${adviceOn(name, specifier)}`,
    { details: { exporter: specifier } },
  );
}

/** A slip is not to be installed. */
function adviceOn(name: string, specifier: string): string {
  const known = Object.keys(BUNDLED).map((each) => each.replace('@stepfork/exporter-', ''));
  const meant = nearest(name, known);
  if (meant !== null) return `Did you mean '${meant}'?`;
  return `Install it: npm install --save-dev ${specifier}`;
}

async function resolveFromProject(specifier: string, isFile: boolean): Promise<URL | null> {
  if (isFile) {
    const url = pathToFileURL(specifier);
    return existsSync(url) ? url : null;
  }
  // Node 20 resolves by `import` conditions only from a module's own place; jiti does from any.
  const { createJiti } = await import('jiti');
  const found = createJiti(pathToFileURL(`${projectFolder()}/`).href).esmResolve(specifier, { try: true });
  return found === undefined ? null : new URL(found);
}

async function load(importExporter: () => Promise<ReadonlyMap<string, unknown>>, name: string): Promise<Exporter> {
  let exported: ReadonlyMap<string, unknown>;
  try {
    exported = await importExporter();
  } catch (error) {
    throw new StepforkError(
      'exporter_failed',
      `the exporter '${name}' threw while loading: ${messageOf(error)}. Correct or update it.`,
      { cause: error },
    );
  }
  const exporter = exported.get('default') ?? exported.get('exporter');
  assertExporter(exporter, name);
  return exporter;
}

/** Has an exporter render a case; a fault in it is a plugin's, not ours. */
export function renderWith(exporter: Exporter, regression: RegressionCase): readonly RenderedFile[] {
  let files: unknown;
  try {
    files = renderCase(exporter, regression);
  } catch (error) {
    if (isStepforkError(error, 'bad_exporter_option') || isStepforkError(error, 'exporter_invalid')) throw error;
    throw new StepforkError(
      'exporter_failed',
      `the exporter '${exporter.name}' threw while rendering: ${messageOf(error)}. Correct or update it.`,
      { cause: error },
    );
  }
  if (Array.isArray(files) && files.every(isRenderedFile)) return files;
  throw new StepforkError(
    'exporter_invalid',
    `the exporter '${exporter.name}' rendered no list of files. Its render must return objects with path and text.`,
  );
}

function isRenderedFile(value: unknown): value is RenderedFile {
  const { path, text } = (value ?? {}) as Partial<Record<keyof RenderedFile, unknown>>;
  return typeof path === 'string' && typeof text === 'string';
}
