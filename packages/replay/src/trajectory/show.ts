import { displayText } from '@stepfork/trace-format';
import { labelOf } from '../report/call-view.js';
import type { ReplayReport } from '../report.js';
import { statusOf } from './trajectory.js';
import { cutMiddle } from './wording.js';

/** Calls that are shown before the middle is left out. */
const MOST_SHOWN = 20;

/** The calls of a replay, one a line: numbered, what a tool was given, and how it went. */
export function showTrajectory({ calls }: Pick<ReplayReport, 'calls'>): readonly string[] {
  if (calls.length === 0) return ['the replayed run made no calls'];
  const width = `#${calls.length}`.length;
  const lines = calls.map((call, index) => {
    const input = call.kind === 'tool' ? ` ${displayText(call.inputPreview)}` : '';
    return `  ${`#${index + 1}`.padEnd(width)} ${labelOf(call)}${input}: ${statusOf(call)}`;
  });
  const made = `the replayed run made ${calls.length === 1 ? '1 call' : `${calls.length} calls`}:`;
  return [made, ...cutMiddle(lines, MOST_SHOWN, (hidden) => `  … ${hidden} more …`)];
}
