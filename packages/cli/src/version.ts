import { readFileSync } from 'node:fs';

/** `stepfork 1.2.3`, from package.json, which lies one folder up from the sources and from the built file alike. */
export function nameAndVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return `stepfork ${manifest.version}`;
}
