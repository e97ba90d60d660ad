import { isStepforkError } from '@stepfork/trace-format/write';

/** What an exit code tells a script. */
export const EXIT = {
  /** Valid, equal, matched, written. */
  same: 0,
  /** Behaved differently, or could not be completed safely: an output that exists, a step that is not there. */
  different: 1,
  /** Unreadable or unusable input: a bundle, an entrypoint, an expectation, the command line itself. */
  unusable: 2,
  /** Integrity was asked for and the bundle has no record of it. */
  unverified: 3,
  /** Our own bug. */
  bug: 70,
  /** Ended by Ctrl-C, as shells number it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The refusals that are no fault of the input. */
const UNSAFE = new Set([
  'output_exists',
  'output_is_directory',
  'output_unwritable',
  'output_busy',
  'write_failed',
  'bundle_changed',
  'nothing_to_scrub',
  'scrub_incomplete',
  'replay_failed',
  'missing_step',
  'entrypoint_ended_process',
  'install_failed',
]);

/** The exit code of a command that threw. */
export function exitCodeOf(error: unknown): ExitCode {
  if (isStepforkError(error)) {
    if (error.code === 'internal') return EXIT.bug;
    return UNSAFE.has(error.code) ? EXIT.different : EXIT.unusable;
  }
  return isSystemError(error) ? EXIT.unusable : EXIT.bug;
}

/** An error of the operating system (no permission, no space), told by shape: it may come from another realm. */
export function isSystemError(error: unknown): error is Error & { readonly code: string; readonly syscall: string } {
  if (typeof error !== 'object' || error === null) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && typeof syscall === 'string';
}
