import { basename } from 'node:path';

/** What each runner takes for a test unless it is configured otherwise. */
const PATTERNS: Readonly<Record<string, { readonly pattern: string; readonly takes: (file: string) => boolean }>> = {
  vitest: {
    pattern: '*.test.ts, *.spec.mjs and the like',
    takes: (file) => /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(file),
  },
  jest: {
    pattern: '*.test.ts, *.spec.mjs and the like, and what lies in __tests__',
    takes: (file) =>
      /(?:^|[\\/.])(?:test|spec)\.[cm]?[jt]sx?$/.test(file) || /(?:^|[\\/])__tests__[\\/].*\.[cm]?[jt]sx?$/.test(file),
  },
};

/**
 * Why a runner would not find a test under this name unless it is told to; null where it would, or is not one of the
 * usual runners. The path is that from the current directory.
 */
export function whyIgnored(runner: string, file: string): string | null {
  const known = Object.hasOwn(PATTERNS, runner) ? PATTERNS[runner] : undefined;
  if (known === undefined) return null;
  const folder = /(?:^|[\\/])(node_modules|\.git)[\\/]/.exec(file)?.[1];
  if (folder !== undefined) return `${runner} runs nothing in a folder ${folder}. Name another place with --output.`;
  if (known.takes(file)) return null;
  const [stem = 'agent'] = basename(file).split('.');
  const suffix = /\.[cm]?[jt]sx?$/.exec(file)?.[0] ?? '.ts';
  return `${runner} finds ${known.pattern} unless it is configured otherwise, and so not ${basename(file)}. Name it ${stem || 'agent'}.test${suffix} with --output.`;
}
