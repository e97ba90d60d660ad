import type { DiffResult } from '../../src/index.js';

/** A diff in a few words a step: `changed tool search 1→2: output.price, output.name`. */
export function outline({ steps }: DiffResult): readonly string[] {
  return steps.map(({ kind, type, label, baseline, candidate, changes }) => {
    const paths = changes.map(({ path }) => path).join(', ');
    return `${kind} ${type} ${label} ${baseline ?? '-'}→${candidate ?? '-'}${paths === '' ? '' : `: ${paths}`}`;
  });
}

/** The same, without what is unchanged. */
export function differences(result: DiffResult): readonly string[] {
  return outline(result).filter((line) => !line.startsWith('unchanged'));
}
