import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isStepforkError } from '@stepfork/trace-format/write';
import type { StepforkConfig } from '../config.js';
import { isSystemError } from '../exit-code.js';
import { messageOf } from '../failure.js';
import { guardExit } from '../guard-exit.js';
import { importModule } from '../import-module.js';
import type { Terminal } from '../terminal.js';
import { badConfig } from './bad-config.js';
import { isRecord } from './checks.js';
import { configFilesIn, PACKAGE_FILE } from './config-files.js';
import { parseConfig } from './parse-config.js';
import { type ConfigPart, mergeConfigs, type ProjectConfig } from './project-config.js';

/**
 * The configuration of the current directory in its JSON forms, which are read and never run.
 *
 * @throws StepforkError `bad_config`
 */
export function loadDataConfig(): ProjectConfig {
  return mergeConfigs(dataParts());
}

/**
 * The whole configuration of the current directory: for commands that run the project's code anyway. A module's keys
 * win over those of JSON.
 *
 * @throws StepforkError `bad_config`
 */
export async function loadProjectConfig(terminal: Terminal, { json }: { json: boolean }): Promise<ProjectConfig> {
  const [module, second] = configFilesIn('.').modules;
  if (second !== undefined) throw badConfig(`${module} and ${second}`, null, 'are both there. Keep one of them.');
  const data = dataParts();
  if (module === undefined) return mergeConfigs(data);
  const settings = await guardExit(module, terminal, { json }, () => importConfig(module));
  return mergeConfigs([...data, { file: module, settings: readSettings(settings, module) }]);
}

/** As plain data: what a module exports may be anything, and run code when it is read. */
function readSettings(exported: unknown, file: string): StepforkConfig {
  try {
    return { ...parseConfig(exported, file) };
  } catch (error) {
    if (isStepforkError(error)) throw error;
    throw badConfig(file, null, `threw while it was read: ${messageOf(error).trim()}. Correct it.`, error);
  }
}

async function importConfig(file: string): Promise<unknown> {
  let exported: ReadonlyMap<string, unknown>;
  try {
    exported = await importModule(pathToFileURL(resolve(file)));
  } catch (error) {
    throw badConfig(file, null, `threw while loading: ${messageOf(error).trim()}. Correct it.`, error);
  }
  if (exported.has('default')) return exported.get('default');
  throw badConfig(file, null, 'has no default export. Write: export default defineConfig({ … })');
}

function dataParts(): readonly ConfigPart[] {
  const parts = configFilesIn('.').data.flatMap((file): ConfigPart[] => {
    const json = readJson(file);
    const isPackage = file === PACKAGE_FILE;
    const value = isPackage ? (isRecord(json) ? json.stepfork : undefined) : json;
    if (isPackage && value === undefined) return [];
    const shown = isPackage ? `${file} (key 'stepfork')` : file;
    return [{ file: shown, settings: parseConfig(value, shown) }];
  });
  const [one, other] = parts;
  if (one === undefined || other === undefined) return parts;
  throw badConfig(`${one.file} and ${other.file}`, null, 'both hold a configuration. Keep one of them.');
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    // What is wrong with a package.json without a configuration is no matter of ours.
    if (file === PACKAGE_FILE) return undefined;
    const what = isSystemError(error)
      ? `cannot be read (${error.code}). Check that it may be read.`
      : `is not JSON: ${messageOf(error)}. Correct it.`;
    throw badConfig(file, null, what, error);
  }
}
