import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Writes a user config for npm and pnpm in which `@stepfork` comes from `registryUrl` and all else from where
 * this machine gets it, and returns the environment that selects it. A file, because a shell drops variables
 * with names such as `npm_config_@stepfork:registry`.
 */
export function npmSettings(folder: string, registryUrl: string): Record<string, string> {
  const file = join(folder, 'npmrc');
  writeFileSync(
    file,
    `${ownConfig()}\n@stepfork:registry=${registryUrl}\naudit=false\nfund=false\nupdate-notifier=false\n`,
  );
  return { NPM_CONFIG_USERCONFIG: file };
}

function ownConfig(): string {
  const given = process.env.NPM_CONFIG_USERCONFIG ?? process.env.npm_config_userconfig ?? join(homedir(), '.npmrc');
  try {
    return readFileSync(given, 'utf8');
  } catch {
    return '';
  }
}
