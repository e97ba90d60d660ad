import type { RegressionCase } from '@stepfork/exporter-kit';
import { expectedEnd } from '@stepfork/exporter-kit';
import {
  type Check,
  checkMatch,
  checkOutput,
  checkThrown,
  checkTrajectory,
  type ReplayReport,
} from '@stepfork/exporter-kit/runtime';
import { displayText, StepforkError } from '@stepfork/trace-format';
import { inFlags } from '../../flag-names.js';

/**
 * Refuses a test that would be red for another reason than its expectation: `replay_failed`. Nothing tells then whether
 * the agent was corrected.
 */
export function requireMatch(entrypoint: string, report: ReplayReport): void {
  if (report.verdict !== 'diverged' || waitsAtItsEnd(report)) return;
  // A run that went wrong at its first call may have been started wrongly: the notes tell.
  const { error } = report;
  const threw = error === null || isRefusal(report) ? [] : [`the agent threw ${error.name}: ${error.message}`];
  const notes = [...threw, ...report.notes].map((note) => ` (${note})`).join('');
  throw new StepforkError(
    'replay_failed',
    `the recording does not match ${displayText(entrypoint)}, so the test would be red whatever it expects: ${displayText(`${divergenceOf(report)}${notes}`)}. Correct the code or record it anew, or write the test all the same with --force.`,
    { details: { notes: report.notes } },
  );
}

/** All recorded calls were made, and one of them has no outcome to go on with: a fix that ends makes the test green. */
function waitsAtItsEnd({ facets, calls, counts }: ReplayReport): boolean {
  if (facets.execution !== 'stalled' || facets.dependencies !== 'matched') return false;
  const made = new Set(calls.flatMap(({ index }) => (index === null ? [] : [index])));
  return made.size === counts.recorded && calls.some(({ status }) => status === 'pending');
}

/** An agent that lets a refused call pass throws what the divergence says already. */
function isRefusal({ error, divergence }: ReplayReport): boolean {
  return divergence !== null && error?.message === divergence.message;
}

/** Whether the recording still fits the code, and what the test will therefore say today. */
export function describeReplay(
  entrypoint: string,
  report: ReplayReport,
  regression: RegressionCase,
): readonly string[] {
  if (waitsAtItsEnd(report)) return describeWaiting(entrypoint, report);
  const fits = `replayed ${displayText(entrypoint)}: ${verdictOf(report)}`;
  if (report.verdict === 'diverged')
    return [fits, ...report.notes.map((note) => `note: ${displayText(inFlags(note))}`)];
  const checks = checksOf(report, regression);
  if (checks.length === 0) return [fits];
  const failed = checks.filter(({ pass }) => !pass).map(({ message }) => `the test is red on this code: ${message}`);
  return [fits, ...(failed.length === 0 ? ['the test is green on this code'] : failed)];
}

function describeWaiting(entrypoint: string, { notes }: ReplayReport): readonly string[] {
  return [
    `replayed ${displayText(entrypoint)}: all recorded calls were made, and it waits where the recording stops`,
    'the test is red until the code ends by itself, for example by a timeout of the call',
    ...notes.map((note) => `note: ${displayText(inFlags(note))}`),
  ];
}

/** Whether the calls match the recording and are not the steps that are expected: then no code can satisfy both. */
export function contradictsSteps(report: ReplayReport, { trajectory }: RegressionCase): boolean {
  return report.verdict !== 'diverged' && trajectory !== undefined && !checkTrajectory(report, trajectory).pass;
}

/** What was stated; that a test which pins the recording agrees with it was said already. */
function checksOf(report: ReplayReport, regression: RegressionCase): readonly Check[] {
  const end = endCheck(report, regression);
  const { trajectory } = regression;
  return [...(end === null ? [] : [end]), ...(trajectory === undefined ? [] : [checkTrajectory(report, trajectory)])];
}

function endCheck(report: ReplayReport, regression: RegressionCase): Check | null {
  const end = expectedEnd(regression);
  switch (end.kind) {
    case 'output':
      return checkOutput(report, end.value);
    case 'match':
      return checkMatch(report, end.value);
    case 'error':
      return checkThrown(report, end.error.type, end.error.message);
    default:
      return null;
  }
}

function verdictOf(report: ReplayReport): string {
  const { verdict, facets, counts, error } = report;
  const calls = `${counts.substituted} of ${counts.recorded} recorded ${counts.recorded === 1 ? 'call' : 'calls'} answered`;
  switch (verdict) {
    case 'matched':
      return `the recording still matches, ${calls}`;
    case 'reproduced-failure':
      return `the recording still matches, ${calls}, and it fails as recorded (${displayText(error?.name ?? '')})`;
    case 'output-changed':
      return facets.execution === 'threw'
        ? `the recorded calls match, ${calls}, but it throws ${displayText(error?.name ?? '')}`
        : `the recorded calls match, ${calls}; the output is no longer the recorded one`;
    case 'diverged':
      return `the recording no longer matches, so the test is red until it does: ${displayText(inFlags(divergenceOf(report)))}`;
  }
}

function divergenceOf({ divergence }: ReplayReport): string {
  return divergence?.message ?? 'the run stalled';
}
