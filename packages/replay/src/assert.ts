import { StepforkError } from '@stepfork/trace-format';
import { formatReport } from './format.js';
import type { ReplayReport } from './report.js';

export interface AssertOptions {
  /** `any`: only the calls must be the recorded ones; what the run came to is judged elsewhere. */
  readonly output?: 'any' | undefined;
}

/**
 * Throws unless the replayed run was the recorded one.
 *
 * @throws StepforkError `replay_failed`, its message the report as text, `details.report` the report.
 */
export function assertReplay(report: ReplayReport, options: AssertOptions = {}): void {
  const { verdict } = report;
  if (verdict === 'matched' || verdict === 'reproduced-failure') return;
  if (verdict === 'output-changed' && options.output === 'any') return;
  throw new StepforkError('replay_failed', formatReport(report), { details: { report } });
}
