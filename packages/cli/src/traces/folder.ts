import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isBundlePath, StepforkError } from '@stepfork/trace-format/write';
import type { ConfigSource } from '../config/config-source.js';
import type { ProjectConfig } from '../config/project-config.js';
import { type Glance, glanceAt, isRun, type Run, type Unreadable } from './glance.js';

/** Where recordings lie unless they were told to lie elsewhere. */
export const TRACES = join('.stepfork', 'traces');

/** Where a project's recordings lie. */
const tracesOf = ({ settings }: ProjectConfig): string => settings.traces ?? TRACES;

/** What a folder of bundles holds. */
export interface TraceFolder {
  readonly path: string;
  /** Newest first. */
  readonly runs: readonly Run[];
  /** By name. */
  readonly unreadable: readonly Unreadable[];
}

/** The folder that was named, or else the project's own, which holds nothing before anything is recorded. */
export async function readNamedFolder(named: string | undefined, config: ConfigSource): Promise<TraceFolder> {
  if (named !== undefined) return readTraceFolder(named, { mayBeMissing: named === TRACES });
  return readTraceFolder(tracesOf(await config()), { mayBeMissing: true });
}

/** Whether runs of a folder are found by their ids alone. */
export function isProjectFolder({ path }: TraceFolder, project: ProjectConfig): boolean {
  return resolve(path) === resolve(tracesOf(project));
}

/**
 * Glances at every bundle of a folder, not at those in folders below.
 *
 * @throws StepforkError `bad_trace_folder`
 */
export function readTraceFolder(path: string, { mayBeMissing = false } = {}): TraceFolder {
  const glances = bundleNames(path, mayBeMissing)
    .map((name) => glanceAt(path, name))
    .filter((glance) => isRun(glance) || !isGone(glance.path));
  return {
    path,
    runs: glances.filter(isRun).sort(newestFirst),
    unreadable: glances.filter((glance): glance is Exclude<Glance, Run> => !isRun(glance)),
  };
}

/** Whether it was removed since the folder was read. */
const isGone = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) === undefined;

/** Runs of one instant are told apart by where they lie, so that every look sees the same order. */
function newestFirst(a: Run, b: Run): number {
  return b.createdAt - a.createdAt || (a.path < b.path ? -1 : 1);
}

function bundleNames(path: string, mayBeMissing: boolean): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (mayBeMissing) return [];
    throw badFolder(path, `there is no folder '${path}'. Give the folder that bundles are recorded into.`);
  }
  if (isBundlePath(path)) {
    throw badFolder(path, `'${path}' is a bundle itself. Run 'stepfork inspect' on it, or give the folder it lies in.`);
  }
  if (!stats.isDirectory()) throw badFolder(path, `'${path}' is no folder. Give the folder that bundles lie in.`);
  return readdirSync(path).filter(isBundlePath).sort();
}

const badFolder = (path: string, message: string): StepforkError =>
  new StepforkError('bad_trace_folder', message, { details: { file: path } });
