import type { StepforkConfig } from '../config.js';

type Key = keyof StepforkConfig;

/** What a project says of itself, and in which file it says it. */
export interface ProjectConfig {
  readonly settings: StepforkConfig;
  /** The file that a key is from. */
  readonly fileOf: (key: Key) => string | null;
}

/** One file's share. */
export interface ConfigPart {
  readonly file: string;
  readonly settings: StepforkConfig;
}

/** Of a key that more than one file has, the last one counts. */
export function mergeConfigs(parts: readonly ConfigPart[]): ProjectConfig {
  const files = new Map<string, string>();
  for (const { file, settings } of parts) {
    for (const [key, value] of Object.entries(settings)) if (value !== undefined) files.set(key, file);
  }
  const present = parts.map(({ settings }) =>
    Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
  );
  return { settings: Object.assign({}, ...present) as StepforkConfig, fileOf: (key) => files.get(key) ?? null };
}
