import { validateBundle } from '@stepfork/trace-format';

/** Where a bundle is not what its recorder sealed, or breaks a rule of the format: a note that says so, else none. */
export function doubtsAbout(source: unknown): readonly string[] {
  if (typeof source !== 'string') return [];
  const { issues } = validateBundle(source, { strict: false, verifyIntegrity: true });
  // Bundles without digests come from before there were any, or from a run that was killed.
  const [first, ...more] = issues.filter(({ code }) => code !== 'integrity_unverified');
  if (first === undefined) return [];
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  return [`the bundle is not sound: ${first.message}${others}; see stepfork validate --verify-integrity`];
}
