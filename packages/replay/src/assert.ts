import { StepforkError } from '@stepfork/trace-format';
import { formatReport } from './format.js';
import type { ReplayReport } from './report.js';

export interface AssertOptions {
  /** `any`: only the calls must be the recorded ones; what the run came to is judged elsewhere. */
  readonly output?: 'any' | undefined;
}

/**
 * Throws unless the replayed run was the recorded one and, where it was repeated, the same each time.
 *
 * @throws StepforkError `replay_failed`, its message the report as text, `details.report` the report.
 */
export function assertReplay(report: ReplayReport, options: AssertOptions = {}): void {
  const { verdict, disagreement } = report;
  const isSteady = disagreement === null;
  if (isSteady && (verdict === 'matched' || verdict === 'reproduced-failure')) return;
  if (isSteady && verdict === 'output-changed' && options.output === 'any') return;
  throw new StepforkError('replay_failed', formatReport(report), { details: { report } });
}
