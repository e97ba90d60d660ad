import type { Terminal } from '../terminal.js';
import type { ProjectConfig } from './project-config.js';

/** A command's way to its project's configuration, which is read when it is first asked for, and once. */
export type ConfigSource = () => Promise<ProjectConfig>;

/**
 * @param code whether it may be code: for a command that runs the project's code anyway. Others are pointed at bundles
 * of anybody's, and read JSON alone.
 */
export function configSource(code: boolean, json: boolean, terminal: Terminal): ConfigSource {
  let loaded: Promise<ProjectConfig> | null = null;
  return () => {
    loaded ??= load(code, json, terminal);
    return loaded;
  };
}

async function load(code: boolean, json: boolean, terminal: Terminal): Promise<ProjectConfig> {
  const { loadDataConfig, loadProjectConfig } = await import('./load-config.js');
  return code ? loadProjectConfig(terminal, { json }) : loadDataConfig();
}
