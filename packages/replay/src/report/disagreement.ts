import { firstDifference } from '@stepfork/diff';
import { canonicalJson, displayText } from '@stepfork/trace-format';
import type { ReplayReport } from '../report.js';
import { previewPair } from './preview-pair.js';

const LONGEST_VALUE = 80;

/**
 * One report for several runs of the same agent against the same recording: the first that is worse than the others,
 * with what the runs disagree in.
 */
export function agreedReport(reports: readonly [ReplayReport, ...ReplayReport[]]): ReplayReport {
  const [first, ...others] = reports;
  const worst = reports.find(({ verdict }) => verdict === 'diverged') ?? reports.find(isChanged) ?? first;
  for (const [index, other] of others.entries()) {
    const disagreement = disagreementOf(first, other);
    if (disagreement === null) continue;
    const text = `run ${index + 2} of ${reports.length} was not as run 1: ${disagreement}`;
    return { ...worst, disagreement: text };
  }
  return { ...worst, notes: [...worst.notes, `${reports.length} runs agreed`] };
}

function isChanged({ verdict }: ReplayReport): boolean {
  return verdict === 'output-changed';
}

/** What two runs disagree in: the recorded calls they made, or what they came to; null where in nothing. */
function disagreementOf(one: ReplayReport, other: ReplayReport): string | null {
  if (one.divergence?.message !== other.divergence?.message) {
    return displayText(
      `${one.divergence?.message ?? 'no divergence'}; ${other.divergence?.message ?? 'no divergence'}`,
    );
  }
  if (one.facets.execution !== other.facets.execution || one.error?.name !== other.error?.name) {
    return displayText(`${endingOf(one)}; ${endingOf(other)}`);
  }
  const [difference] = [firstDifference(one.output, other.output)].filter((found) => found !== null);
  if (difference !== undefined) {
    const values = previewPair(difference.before, difference.after, LONGEST_VALUE);
    return `the output at '${displayText(difference.path)}': ${values.join(', ')}`;
  }
  return callsOf(one) === callsOf(other) ? null : 'they made other calls';
}

function endingOf({ facets, error }: ReplayReport): string {
  return error === null ? facets.execution : `threw ${error.name}`;
}

function callsOf({ calls }: ReplayReport): string {
  return canonicalJson(calls.map(({ fingerprint, action }) => `${fingerprint} ${action}`).sort());
}
