import type { Json } from '@stepfork/trace-format';
import type { ReplayReport } from '../report.js';

/** One call that the replayed run made. */
export interface TrajectoryStep {
  readonly kind: 'tool' | 'llm';
  /** Tool name, or model. */
  readonly name: string;
  /** Redacted, as `stepfork inspect` shows it. */
  readonly input: Json;
  /** `refused`: the call at which the replay diverged, or one after it. */
  readonly status: 'ok' | 'error' | 'pending' | 'refused';
}

/** The calls of a replayed run in the order in which they came, as plain data that a test can compare. */
export function trajectoryOf({ calls }: ReplayReport): readonly TrajectoryStep[] {
  return calls.map((call) => ({ kind: call.kind, name: call.name, input: call.input, status: statusOf(call) }));
}

/** What became of a call. */
export function statusOf({
  action,
  status,
}: Pick<ReplayReport['calls'][number], 'action' | 'status'>): TrajectoryStep['status'] {
  return action === 'refused' ? 'refused' : status;
}
