import type { ReplayReport } from '../report.js';

/** Whether the run made all calls of a recording that was cut short, and then waited where it stops. */
export function goesAsFarAsRecorded(
  report: Pick<ReplayReport, 'counts' | 'divergence' | 'facets' | 'recording'>,
): boolean {
  const { counts, divergence, facets, recording } = report;
  return (
    recording.status === 'running' &&
    facets.execution === 'stalled' &&
    divergence === null &&
    counts.substituted + counts.executed === counts.recorded
  );
}
