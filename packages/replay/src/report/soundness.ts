import {
  isStepforkError,
  type Trace,
  type ValidationIssue,
  validateTrace,
  verifyIntegrity,
} from '@stepfork/trace-format';

/** Where a bundle is not what its recorder sealed, or breaks a rule of the format: a note that says so, else none. */
export function doubtsAbout(source: unknown, trace: Trace): readonly string[] {
  if (typeof source !== 'string') return [];
  const { issues } = validateTrace(trace, { strict: false, verifyPayloads: true });
  // The manifest of a run that goes on, or that was killed, was written before its events. Bundles without digests
  // come from before there were any, or from such a run.
  const [first, ...more] = [...issues, ...sealIssues(source)].filter(
    ({ code }) => code !== 'integrity_unverified' && (code !== 'event_count_mismatch' || trace.status !== 'running'),
  );
  if (first === undefined) return [];
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  return [`the bundle is not sound: ${first.message}${others}; see stepfork validate --verify-integrity`];
}

/** The bundle was read already: what cannot be read of it now is no reason to end its replay. */
function sealIssues(path: string): readonly ValidationIssue[] {
  try {
    return verifyIntegrity(path).issues;
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    return [{ code: error.code, message: error.message, event_id: null, step: null, location: null }];
  }
}
