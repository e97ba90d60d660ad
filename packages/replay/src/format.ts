import { displayText } from '@stepfork/trace-format';
import { bothValues } from './report/both-values.js';
import { labelOf, previewOf } from './report/call-view.js';
import { goesAsFarAsRecorded } from './report/partial.js';
import { previewPair } from './report/preview-pair.js';
import type { CallView, Divergence, ReplayReport } from './report.js';

export interface FormatOptions {
  /** Whole fingerprints, every call, and more of the values that differ. */
  readonly verbose?: boolean | undefined;
}

const SHORT_FINGERPRINT = 12;
const LONGEST_VALUE = 120;
const LONGEST_VERBOSE_VALUE = 2_000;
/** Differences and listed calls that are shown unless everything is asked for. */
const MOST_SHOWN = 5;

const HEADLINES: Readonly<Record<ReplayReport['verdict'], string>> = {
  matched: 'the run was the recorded one',
  diverged: 'the run was not the recorded one',
  'output-changed': 'the calls were the recorded ones, what came of them was not',
  'reproduced-failure': 'the run failed as it was recorded',
};

/** A report as text for a terminal: several lines, no colour, nothing from the trace unescaped. */
export function formatReport(report: ReplayReport, { verbose = false }: FormatOptions = {}): string {
  const lines = [
    `${report.verdict}: ${headlineOf(report)}`,
    `  run        ${displayText(report.recording.agentName)} ${displayText(report.recording.runId)}`,
    `  calls      ${countsLine(report)}`,
    `  output     ${outputLine(report, verbose)}`,
    ...(report.divergence === null ? [] : divergenceLines(report.divergence, verbose)),
    ...listLines('ambiguous', report.ambiguous, verbose),
    ...listLines('early', report.early, verbose),
    ...listLines('reparented', report.reparented, verbose),
    ...report.ignored.map(ignoredLine),
    ...report.blocked.map(blockedLine),
    ...report.observed.map(observedLine),
    ...(verbose ? callLines(report) : []),
    ...(report.disagreement === null ? [] : [`  unsteady   ${displayText(report.disagreement)}`]),
    ...report.notes.map((note) => `  note       ${displayText(note)}`),
  ];
  return lines.join('\n');
}

function headlineOf(report: ReplayReport): string {
  return goesAsFarAsRecorded(report) ? 'the run went as far as the recording does' : HEADLINES[report.verdict];
}

function countsLine({ counts, facets }: ReplayReport): string {
  const { recorded, substituted, executed } = counts;
  return `${facets.dependencies}: ${recorded} recorded, ${substituted} answered from the recording, ${executed} executed`;
}

function outputLine(report: ReplayReport, verbose: boolean): string {
  const { facets, error, recording } = report;
  if (facets.execution === 'stalled') return 'none: the run did not end';
  if (isOwnRefusal(report)) return 'not judged: the calls diverged';
  if (error !== null) return `threw ${displayText(error.name)}: ${displayText(error.message)}`;
  if (facets.output === 'matched') return 'as recorded';
  const longest = verbose ? LONGEST_VERBOSE_VALUE : LONGEST_VALUE;
  const got = previewOf(report.output, longest);
  if (recording.failure !== null) return `recorded ${displayText(recording.failure.type)}, got ${got}`;
  if (facets.output === 'not-recorded') return `${got} (none was recorded)`;
  const [before, after] = previewPair(recording.output, report.output, longest);
  return `recorded ${before}, got ${after}`;
}

/** Whether the run threw what the replay refused a call with: the divergence tells of it. */
function isOwnRefusal({ error, divergence }: ReplayReport): boolean {
  return divergence !== null && error?.name === 'StepforkError' && error.message.endsWith(divergence.message);
}

function divergenceLines(divergence: Divergence, verbose: boolean): readonly string[] {
  const { message, code, recorded, actual, differences, callSite } = divergence;
  const shown = verbose ? differences : differences.slice(0, MOST_SHOWN);
  const hidden = differences.length - shown.length;
  const longest = verbose ? LONGEST_VERBOSE_VALUE : LONGEST_VALUE;
  return [
    `  diverged   ${message} (${code})`,
    ...(callSite === null ? [] : [`    at       ${displayText(callSite)}`]),
    ...(recorded === null ? [] : [`    recorded ${callText(recorded, verbose)}`]),
    ...(actual === null ? [] : [`    actual   ${callText(actual, verbose)}`]),
    ...shown.map((each) => `    differs  ${displayText(each.path)}: ${bothValues(each, longest)}`),
    ...(hidden > 0 ? [`    differs  in ${hidden} more places`] : []),
  ];
}

function listLines(title: string, calls: readonly CallView[], verbose: boolean): readonly string[] {
  const shown = verbose ? calls : calls.slice(0, MOST_SHOWN);
  const hidden = calls.length - shown.length;
  return [
    ...shown.map((call) => `  ${title.padEnd(10)} ${callText(call, verbose)}`),
    ...(hidden > 0 ? [`  ${title.padEnd(10)} and ${hidden} more`] : []),
  ];
}

function ignoredLine({ pattern, count }: ReplayReport['ignored'][number]): string {
  return `  ignored    ${displayText(pattern)}, ${count} ${count === 1 ? 'time' : 'times'}`;
}

function observedLine({ what, name, count, callSite }: ReplayReport['observed'][number]): string {
  const place = callSite === null ? '' : `, first at ${callSite}`;
  return displayText(`  observed   ${what}: ${name}, ${count} ${count === 1 ? 'time' : 'times'}${place}`);
}

function blockedLine({ what, callSite }: ReplayReport['blocked'][number]): string {
  return `  blocked    ${displayText(what)}${callSite === null ? '' : ` at ${displayText(callSite)}`}`;
}

function callLines({ calls }: ReplayReport): readonly string[] {
  return calls.map((call, index) => {
    const title = `call #${index + 1}`.padEnd(10);
    return `  ${title} ${call.action}, ${call.status}: ${callText(call, true)}`;
  });
}

function callText(call: CallView, verbose: boolean): string {
  const index = call.index === null ? '' : `#${call.index + 1} `;
  const fingerprint = verbose ? call.fingerprint : `${call.fingerprint.slice(0, SHORT_FINGERPRINT)}…`;
  return `${index}${labelOf(call)} ${call.inputPreview} [${fingerprint}]`;
}
