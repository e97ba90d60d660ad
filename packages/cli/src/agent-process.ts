import { constants } from 'node:os';
import { type AgentEnd, startAgent, whyKilled } from './agent-child.js';
import { RESULTS_DESCRIPTOR } from './agent-descriptor.js';
import { reportFailure } from './failure.js';
import { stdoutResults } from './results.js';
import { createProcessTerminal } from './terminal.js';

/** Ways in which a person or a supervisor ends a program. */
const ENDING_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** How long an agent may take to leave when it is told to. */
const GRACE_MS = 1000;

/**
 * Runs a command line in a process of its own, whose stdout is our stderr: an agent prints by `console.log`, by
 * descriptor, from native code and from its own child processes, and none of that may stand among our results.
 * They go to our stdout under another number.
 *
 * @returns the exit code
 */
export async function runAgentProcess(argv: readonly string[]): Promise<number> {
  const stdio: (number | 'inherit')[] = ['inherit', 2, 2];
  stdio[RESULTS_DESCRIPTOR] = 1;
  const child = startAgent(argv, stdio);
  let asked: NodeJS.Signals | null = null;
  for (const each of ENDING_SIGNALS) {
    process.on(each, () => {
      asked ??= each;
      // A terminal's Ctrl-C reaches the agent as well, a supervisor's signal does not.
      child.process.kill(each);
      setTimeout(() => child.process.kill('SIGKILL'), GRACE_MS).unref();
    });
  }
  const end = await child.ended;
  const ending = asked ?? end.signal;
  if (ending === null) return end.code ?? 0;
  return ENDING_SIGNALS.includes(ending) ? 128 + constants.signals[ending] : reportKilled(end, argv);
}

function reportKilled(end: AgentEnd, argv: readonly string[]): number {
  const terminal = createProcessTerminal(stdoutResults());
  return reportFailure(whyKilled(end), terminal, { json: argv.includes('--json'), debug: false });
}
