import type { BoundaryHandler } from '@stepfork/recorder/boundary';
import { frameHere } from '@stepfork/recorder/boundary';
import { Patches, refreshImports } from '../guard/patches.js';
import type { Entered } from '../session/call-site.js';
import { patchEnvironment } from './environment.js';
import { patchFiles } from './files.js';
import { patchRandom } from './random.js';
import type { TouchedKind, Touches } from './touches.js';

/** Tells the run that the current code belongs to, if it is observed, of a function that was called. */
export type Tell = (what: TouchedKind, name: string, entered: Entered) => void;

const observed = new Map<BoundaryHandler, Touches>();
let undo: (() => void) | null = null;

/**
 * Counts in `touches` what the code of the run uses besides its calls. The bodies of calls that really run are the
 * calls' own business.
 *
 * @returns ends it; with the last observed run everything is as it was
 */
export function observe(run: BoundaryHandler, touches: Touches): () => void {
  observed.set(run, touches);
  undo ??= patch();
  return () => {
    if (!observed.delete(run) || observed.size > 0) return;
    undo?.();
    undo = null;
  };
}

function patch(): () => void {
  const patches = new Patches();
  for (const each of [patchRandom, patchEnvironment, patchFiles]) each(patches, tell);
  refreshImports();
  return () => {
    patches.undo();
    refreshImports();
  };
}

let isTelling = false;

/** What the telling itself touches (the working directory, to shorten a path) is not the run's. */
function tell(what: TouchedKind, name: string, entered: Entered): void {
  if (isTelling) return;
  const frame = frameHere();
  if (frame === undefined || frame.call !== null || !frame.handler.active) return;
  isTelling = true;
  try {
    observed.get(frame.handler)?.add(what, name, entered);
  } finally {
    isTelling = false;
  }
}
