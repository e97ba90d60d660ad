import type { Difference } from '../report.js';
import { previewOf } from './call-view.js';
import { previewPair } from './preview-pair.js';

/** `recorded "a", got "b"`, cut so that what differs is in sight. */
export function bothValues({ kind, recorded, actual }: Difference, longest: number): string {
  if (kind === 'added') return `recorded nothing, got ${previewOf(actual, longest)}`;
  if (kind === 'removed') return `recorded ${previewOf(recorded, longest)}, got nothing`;
  const [before, after] = previewPair(recorded, actual, longest);
  return `recorded ${before}, got ${after}`;
}
