import { displayText, StepforkError } from '@stepfork/trace-format';
import type { ReplayReport } from '../report.js';
import type { Check } from './check.js';
import { showTrajectory } from './show.js';

/** The assertion that was called: where a test runner points at is the line that called it, not one in here. */
export type Assertion = (...args: never[]) => void;

/**
 * Throws unless every check finds its calls as expected. Before that, the replay has to be whole: calls that are not
 * the recorded ones, or not all of them, prove nothing, whatever the agent did with the error.
 *
 * @throws StepforkError `not_a_report`, `assertion_failed`
 */
export function judge(report: ReplayReport, checks: readonly Check[], assertion: Assertion): void {
  assertIsReport(report, assertion);
  const unfit = whyNotJudged(report);
  if (unfit !== null) throw failed(unfit, report, [], assertion);
  const failures = checks
    .map(({ key, faults }) => ({ key, faults: faults(report.calls) }))
    .filter(({ faults }) => faults.length > 0);
  if (failures.length === 0) return;
  const keys = failures.map(({ key }) => key);
  throw failed(failureLines(failures.map(({ faults }) => faults)), report, keys, assertion);
}

function assertIsReport(report: unknown, assertion: Assertion): void {
  const { facets, calls } = typeof report === 'object' && report !== null ? (report as Partial<ReplayReport>) : {};
  if (typeof facets === 'object' && Array.isArray(calls)) return;
  const message = `${assertion.name}() judges what replay() resolved to: await it, and pass its result`;
  throw pointingAt(new StepforkError('not_a_report', message, { details: { type: typeof report } }), assertion);
}

/** Why nothing can be said of the calls: lines, or null where they can be judged. */
function whyNotJudged({ divergence, facets, notes }: ReplayReport): readonly string[] | null {
  if (divergence !== null) {
    const { message, code, callSite } = divergence;
    return [
      `trajectory not judged, the replay diverged: ${displayText(message)} (${code})`,
      ...(callSite === null ? [] : [`  at ${displayText(callSite)}`]),
    ];
  }
  if (facets.dependencies === 'diverged') return ['trajectory not judged, the replay diverged'];
  if (facets.execution !== 'stalled') return null;
  return [
    'trajectory not judged, the replay is incomplete: the run did not come to its end',
    ...notes.map((note) => `  ${displayText(note)}`),
  ];
}

function failureLines(failures: readonly (readonly string[])[]): readonly string[] {
  const [only = []] = failures;
  if (failures.length === 1) return only.map((line, index) => (index === 0 ? line : `  ${line}`));
  return [
    `${failures.length} expectations failed:`,
    ...failures.flatMap((lines) => lines.map((line, index) => (index === 0 ? `- ${line}` : `    ${line}`))),
  ];
}

function failed(
  lines: readonly string[],
  report: ReplayReport,
  keys: readonly string[],
  assertion: Assertion,
): StepforkError {
  const message = [...lines, ...showTrajectory(report)].join('\n');
  return pointingAt(new StepforkError('assertion_failed', message, { details: { failed: keys } }), assertion);
}

function pointingAt(error: StepforkError, assertion: Assertion): StepforkError {
  Error.captureStackTrace(error, assertion);
  return error;
}
