import { basename, extname } from 'node:path';
import { displayText } from '@stepfork/trace-format';

/** Why a runner cannot load the agent's file as it is usually configured; null where it can. */
export function whyUnloadable(runner: string, entrypointFile: string): string | null {
  if (runner !== 'vitest' || extname(entrypointFile) !== '.cts') return null;
  return `vitest turns no .cts file into JavaScript, and so cannot load ${displayText(basename(entrypointFile))}. Export the agent from a .ts or .mts file, or write the test with --to jest.`;
}
