import { displayText, type ValidationIssue, validateBundle } from '@stepfork/trace-format';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { folded } from '../../fold.js';
import { jsonDocument } from '../../json-text.js';
import { withNextStep } from '../../next-step.js';
import type { Terminal } from '../../terminal.js';
import { whileReading } from '../../while-reading.js';

interface Given {
  readonly bundle: string;
  readonly partial: boolean | undefined;
  readonly verifyIntegrity: boolean | undefined;
  readonly json: boolean | undefined;
}

/** Issues after which there is nothing to judge: the bundle, or its integrity record, cannot be read. */
const UNREADABLE = new Set([
  'missing_bundle',
  'not_a_bundle',
  'missing_file',
  'invalid_json',
  'unsupported_schema',
  'invalid_manifest',
  'invalid_event',
  'invalid_runtime',
  'invalid_pack',
  'event_too_large',
  'read_failed',
  'integrity_metadata_invalid',
  'integrity_algorithm_unsupported',
]);

export async function runValidate(given: Given, terminal: Terminal): Promise<ExitCode> {
  const checks = { strict: !given.partial, verifyIntegrity: given.verifyIntegrity === true };
  const report = await whileReading([given.bundle], () => validateBundle(given.bundle, checks));
  const exitCode = exitCodeOf(report.issues, report.integrity);
  if (given.json) {
    terminal.result(jsonDocument({ schema: 'stepfork.validate/1', bundle: given.bundle, ...report }));
    return exitCode;
  }
  if (exitCode === EXIT.unusable) {
    const what = unreadable(report.issues);
    terminal.message(`stepfork: ${displayText(what.includes(given.bundle) ? what : `${given.bundle}: ${what}`)}`);
    return exitCode;
  }
  const { issues } = report;
  const verdict =
    issues.length === 0
      ? terminal.paint('green', 'valid')
      : terminal.paint('red', `not valid, ${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}`);
  terminal.result(`${displayText(given.bundle)}: ${verdict}`);
  for (const issue of issues) terminal.result(folded(`  ${issueLine(issue)}`, terminal.columns));
  terminal.result(`integrity: ${INTEGRITY[report.integrity]}`);
  return exitCode;
}

const INTEGRITY = {
  verified: 'verified',
  mismatch: 'mismatch',
  unverified_legacy: 'not verifiable, the bundle has no integrity.json',
  not_checked: 'not checked (--verify-integrity checks it)',
} as const;

/** B266, B267: unreadable before absent, absent before invalid. */
function exitCodeOf(issues: readonly ValidationIssue[], integrity: keyof typeof INTEGRITY): ExitCode {
  if (issues.some(({ code }) => UNREADABLE.has(code))) return EXIT.unusable;
  if (integrity === 'unverified_legacy') return EXIT.unverified;
  return issues.length > 0 ? EXIT.different : EXIT.same;
}

/** All that is wrong, and what to do about it. A bundle that is not there is a file that is missing, of no name. */
function unreadable(issues: readonly ValidationIssue[]): string {
  const last = issues.length - 1;
  return issues
    .map(({ code, message, location }, index) => {
      if (index !== last) return message;
      return withNextStep(code === 'missing_file' && location === null ? 'missing_bundle' : code, message);
    })
    .join('; ');
}

function issueLine({ code, message, location }: ValidationIssue): string {
  return [location, code, message]
    .filter((part) => part !== null)
    .map((part) => displayText(String(part)))
    .join('  ');
}
