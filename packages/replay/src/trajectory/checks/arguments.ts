import { firstDifference } from '@stepfork/diff';
import { REDACTED } from '@stepfork/redact';
import { displayText, type Json } from '@stepfork/trace-format';
import { previewOf } from '../../report/call-view.js';
import { differencesOf } from '../../report/differences.js';
import type { Difference } from '../../report.js';
import { type Check, type ToolCall, toolCallsIn } from '../check.js';
import { times, toolNamed } from '../wording.js';

const LONGEST_VALUE = 120;
/** Differences that are shown one by one. */
const MOST_SHOWN = 5;
/** Calls of one tool that are looked at for the nearest one. */
const MOST_COMPARED = 50;

/**
 * The tool was called with these arguments: in any of its calls, or in the one of that 1-based number.
 *
 * @param readings what the arguments may look like in a report, the likeliest first
 */
export function calledWith(name: string, readings: readonly [Json, ...Json[]], occurrence: number | null): Check {
  return {
    key: 'arguments',
    faults: (calls) => {
      const found = toolCallsIn(calls, name);
      const judged = occurrence === null ? found : found.slice(occurrence - 1, occurrence);
      if (judged.some(({ input }) => readings.some((reading) => firstDifference(reading, input) === null))) return [];
      const which = occurrence === null ? '' : `call ${occurrence} of `;
      const wanted = `expected ${which}${toolNamed(name)} to have the arguments ${previewOf(readings[0], LONGEST_VALUE)}`;
      const near = nearest(judged, readings);
      if (near === null) {
        return [`${wanted}, but it was ${found.length === 0 ? 'not called' : `called ${times(found.length)}`}`];
      }
      return [`${wanted}, but ${whose(near, judged)}`, ...differenceLines(near.differences)];
    },
  };
}

interface Near {
  readonly call: ToolCall;
  readonly differences: readonly Difference[];
}

function nearest(calls: readonly ToolCall[], readings: readonly Json[]): Near | null {
  let best: Near | null = null;
  for (const call of calls.slice(0, MOST_COMPARED)) {
    for (const reading of readings) {
      const differences = differencesOf(reading, call.input);
      if (best === null || differences.length < best.differences.length) best = { call, differences };
    }
  }
  return best;
}

function whose({ call }: Near, judged: readonly ToolCall[]): string {
  if (judged.length === 1) return `call #${call.number} has others:`;
  return `none of its ${judged.length} calls has; the nearest is call #${call.number}:`;
}

function differenceLines(differences: readonly Difference[]): readonly string[] {
  const shown = differences.slice(0, MOST_SHOWN);
  const hidden = differences.length - shown.length;
  return [
    ...shown.map(differenceLine),
    ...(hidden > 0 ? [`and ${hidden} more differences`] : []),
    ...(shown.some(isRedactedOnOneSide) ? [ONE_SIDED] : []),
  ];
}

function differenceLine({ path, kind, recorded, actual }: Difference): string {
  const wanted = kind === 'added' ? 'nothing' : previewOf(recorded, LONGEST_VALUE);
  const came = kind === 'removed' ? 'nothing' : previewOf(actual, LONGEST_VALUE);
  return `${displayText(path)}: expected ${wanted}, got ${came}`;
}

/** A secret that only the run could know of, or other rules. */
function isRedactedOnOneSide({ recorded, actual }: Difference): boolean {
  return holdsMark(recorded) !== holdsMark(actual);
}

function holdsMark(value: Json): boolean {
  return typeof value === 'string' && value.includes(REDACTED);
}

const ONE_SIDED = `only one side is redacted: expect '${REDACTED}' where the run's input has it, or give option redact as replay had it`;
