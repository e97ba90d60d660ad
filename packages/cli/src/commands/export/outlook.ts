import { checkOutput } from '@stepfork/exporter-kit/runtime';
import type { ReplayReport } from '@stepfork/replay';
import { displayText, type Json } from '@stepfork/trace-format';

/** Whether the recording still fits the code, and what the test will therefore say today. */
export function describeReplay(
  entrypoint: string,
  report: ReplayReport,
  expected: Json | undefined,
): readonly string[] {
  const fits = `replayed ${displayText(entrypoint)}: ${verdictOf(report)}`;
  // A run that went wrong at its first call may have been started wrongly: the notes tell.
  if (report.verdict === 'diverged') return [fits, ...report.notes.map((note) => `note: ${displayText(note)}`)];
  if (expected === undefined) return [fits];
  const { pass, message } = checkOutput(report, expected);
  return [fits, pass ? 'the test is green on this code' : `the test is red on this code: ${message}`];
}

function verdictOf({ verdict, facets, counts, divergence, error }: ReplayReport): string {
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
      return `the recording no longer matches, so the test is red until it does: ${displayText(divergence?.message ?? 'the run stalled')}`;
  }
}
