import type { ReplayReport } from '@stepfork/replay';
import { displayText, pairCalls, type Trace } from '@stepfork/trace-format';
import { shellArgument } from '../../shell-argument.js';

/** What shows the recorded call at which a replay diverged; null where there is none. A report counts calls, `inspect` events. */
export function whereRecorded({ divergence }: ReplayReport, { events }: Trace, bundle: string): string | null {
  const index = divergence?.recorded?.index ?? null;
  const call = index === null ? undefined : pairCalls(events)[index];
  if (call === undefined) return null;
  return `see the recorded call: stepfork inspect ${shellArgument(displayText(bundle))} --step ${call.event.step}`;
}
