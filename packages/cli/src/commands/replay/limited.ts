import { startAgent, whyKilled } from '../../agent-child.js';
import { RESULTS_DESCRIPTOR } from '../../agent-descriptor.js';
import type { ExitCode } from '../../exit-code.js';
import { argvOf, type Given } from './given.js';

/**
 * Replays a bundle in one more process, which is killed when its time is over: an agent that never comes to rest can be
 * ended in no other way.
 *
 * @throws StepforkError `entrypoint_ended_process`
 */
export async function replayLimited(given: Given, limitMs: number): Promise<ExitCode> {
  const stdio: (number | 'inherit')[] = ['inherit', 'inherit', 'inherit'];
  stdio[RESULTS_DESCRIPTOR] = RESULTS_DESCRIPTOR;
  const end = await startAgent(argvOf(given), stdio, limitMs).ended;
  const killed = whyKilled(end, limitMs);
  if (killed !== null) throw killed;
  return (end.code ?? 0) as ExitCode;
}
