import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireRequest } from './wire/server.js';

/** Headers and parameters that prove who asks, or when: keys, tokens, signatures, and the time that one is made of. */
const PROOFS = /^(authorization|cookie|key|sig|x-amz-(?!user-agent).+|(x-)?(goog-)?api-key)$/;
/** Shorter words tell nothing: `Bearer`, a region. */
const SHORTEST = 12;

/** What of a request nobody may find in a recording. */
export function credentialsIn({ headers, path }: WireRequest): readonly string[] {
  const { searchParams } = new URL(path, 'http://127.0.0.1');
  const said = [...Object.entries(headers), ...searchParams].filter(([name]) => PROOFS.test(name));
  return said.flatMap(([, value]) => String(value).split(/[\s,=/]+/)).filter(({ length }) => length >= SHORTEST);
}

/** Those of them that stand in a file of a bundle, whichever. */
export function secretsIn(bundle: string, secrets: readonly string[]): readonly string[] {
  const files = readdirSync(bundle, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const contents = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
  return [...new Set(secrets)].filter((secret) => contents.some((content) => content.includes(secret)));
}
