import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseEntrypoint, resolveAlias } from '@stepfork/exporter-kit';
import { StepforkError } from '@stepfork/trace-format/write';
import { messageOf } from './failure.js';
import { importModule } from './import-module.js';
import { nearest } from './nearest.js';

/** The function that a command was told to run, before anything of the user's was loaded. */
export interface Entrypoint {
  /** As it was given: `src/agent.ts:runAgent`. */
  readonly text: string;
  /** Absolute. */
  readonly file: string;
  /** The path alias by which the file was named; null where it was named by its path. */
  readonly alias: string | null;
  /** `default`, or the name of an export. */
  readonly exportName: string;
  /** Further names, for a method of an exported object: `agents.refund` has `refund`. */
  readonly members: readonly string[];
}

/**
 * Throws for text that is no `<file>:<export>`, and for a file that is not there. What is no file may be an alias of the
 * project's tsconfig.json or of the imports of its package.json: `@/agent:runAgent`.
 */
export function findEntrypoint(text: string): Entrypoint {
  const dot = text.indexOf('.', text.lastIndexOf(':') + 1);
  const head = dot === -1 || !text.includes(':') ? text : text.slice(0, dot);
  const { file: given, exportName } = parseEntrypoint(head);
  const members = head === text ? [] : text.slice(dot + 1).split('.');
  const file = resolve(given);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile()) return { text, file, alias: null, exportName, members };
  const aliased = resolveAlias('.', given);
  if (aliased !== null) return { text, file: aliased, alias: given, exportName, members };
  const near = nearest(basename(file), filesIn(dirname(file)));
  const next =
    near === null ? 'Give its path from the current directory.' : `Did you mean '${join(dirname(given), near)}'?`;
  const what = found?.isDirectory() ? 'is a folder. Give the path of a file in it.' : `does not exist. ${next}`;
  throw new StepforkError('entrypoint_missing', `the entrypoint file '${given}' ${what}`, {
    details: { file },
  });
}

/** Loads the file, which runs the user's code, and takes the function out of it. */
export async function loadEntrypoint(entrypoint: Entrypoint): Promise<(...args: unknown[]) => unknown> {
  return pick(await importEntrypoint(entrypoint.file), entrypoint);
}

async function importEntrypoint(file: string): Promise<ReadonlyMap<string, unknown>> {
  try {
    return await importModule(pathToFileURL(file));
  } catch (error) {
    const shown = relative('', file);
    throw new StepforkError(
      'entrypoint_failed',
      `the entrypoint file '${shown}' threw while loading: ${messageOf(error).trim()} (${whereThrown(error) ?? shown}). Correct it, or name another file.`,
      { details: { file }, cause: error },
    );
  }
}

function pick(exported: ReadonlyMap<string, unknown>, entrypoint: Entrypoint): (...args: unknown[]) => unknown {
  const { exportName, members } = entrypoint;
  if (!exported.has(exportName)) throw exportMissing(entrypoint, [...exported.keys()]);
  let owner: unknown;
  let value = exported.get(exportName);
  for (const member of members) {
    owner = value;
    value = memberOf(owner, member);
  }
  if (typeof value !== 'function') {
    const what = value === null ? 'null' : `of type ${typeof value}`;
    throw notAFunction(entrypoint, `is ${what}, not a function. Name a function that the file exports.`);
  }
  if (isClass(value)) {
    const advice = 'Name a method of an instance that the file exports, or a function that makes one and calls it.';
    throw notAFunction(entrypoint, `is a class, which cannot be called without new. ${advice}`);
  }
  const found = value as (...args: unknown[]) => unknown;
  return owner === undefined ? found : (found.bind(owner) as typeof found);
}

/** What every object or function has (`toString`, `bind`, `__proto__`) is nothing that the file exports. */
const COMMON: ReadonlySet<unknown> = new Set([null, Object.prototype, Function.prototype]);

function memberOf(owner: unknown, name: string): unknown {
  for (let holder: unknown = Object(owner); !COMMON.has(holder); holder = Object.getPrototypeOf(holder)) {
    if (Object.hasOwn(holder as object, name)) return (owner as Record<string, unknown>)[name];
  }
  return undefined;
}

/** A function's own prototype can be replaced, a class's cannot. */
const isClass = (value: object): boolean => Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false;

function notAFunction({ text, file }: Entrypoint, what: string): StepforkError {
  return new StepforkError('entrypoint_not_a_function', `the entrypoint '${text}' ${what}`, { details: { file } });
}

function exportMissing({ file, exportName }: Entrypoint, names: readonly string[]): StepforkError {
  const near = nearest(exportName, names);
  const has = names.length === 0 ? 'It exports nothing' : `It exports ${names.join(', ')}`;
  return new StepforkError(
    'entrypoint_export_missing',
    `'${relative('', file)}' has no export '${exportName}'. ${has}${near === null ? '.' : `; did you mean '${near}'?`}`,
    { details: { file, exports: names } },
  );
}

const OURS = dirname(fileURLToPath(import.meta.url));

/** `src/agent.ts:3:7`: the first place in the stack that is the user's own; null where none is. */
function whereThrown(error: unknown): string | null {
  const stack = (error as { stack?: unknown } | null)?.stack;
  if (typeof stack !== 'string') return null;
  for (const line of stack.split('\n')) {
    const [, path = '', place] = /((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+:\d+)\)?$/.exec(line.trim()) ?? [];
    if (place === undefined) continue;
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    if (!file.startsWith(OURS) && !/[\\/]node_modules[\\/]/.test(file)) return `${relative('', file)}:${place}`;
  }
  return null;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
