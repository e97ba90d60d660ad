import type { Difference, ReplayReport } from '@stepfork/replay';
import { displayText } from '@stepfork/trace-format';
import { preview } from '../mismatch.js';
import type { Check } from './check.js';
import { assertReport, divergenceLine } from './check.js';

/** Differing paths that a message lists before it only counts. */
const LISTED = 10;

/** Whether the agent made the recorded calls, all of them and no others. */
export function checkReplayed(report: unknown): Check {
  assertReport(report, 'toHaveReplayed');
  const line = divergenceLine(report);
  if (line === null) {
    return { pass: true, message: 'expected the agent to leave the recording, but it made the recorded calls' };
  }
  return { pass: false, message: [line, ...details(report)].join('\n') };
}

function details({ divergence }: ReplayReport): string[] {
  if (divergence === null) return [];
  const { differences, callSite } = divergence;
  // The divergence's own line tells of the first one.
  const listed = differences.length > 1 ? differences.slice(0, LISTED).map(differenceLine) : [];
  const more = differences.length > LISTED ? differences.length - LISTED : 0;
  return [
    ...(listed.length > 0 ? [''] : []),
    ...listed,
    ...(more > 0 ? [`  and ${more} more differences`] : []),
    ...(callSite === null ? [] : ['', `  called at ${displayText(callSite)}`]),
  ];
}

function differenceLine({ path, kind, recorded, actual }: Difference): string {
  const before = kind === 'added' ? 'nothing' : preview(recorded);
  const after = kind === 'removed' ? 'nothing' : preview(actual);
  return `  ${displayText(path)}: recorded ${before}, got ${after}`;
}
