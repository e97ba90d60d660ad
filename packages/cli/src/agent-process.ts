import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { StepforkError } from '@stepfork/trace-format/write';
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
  const program = fileURLToPath(new URL('../bin/agent.js', import.meta.url));
  const stdio: (number | 'inherit')[] = ['inherit', 2, 2];
  stdio[RESULTS_DESCRIPTOR] = 1;
  const child = spawn(process.execPath, [...process.execArgv, program, ...argv], { stdio });
  let asked: NodeJS.Signals | null = null;
  for (const each of ENDING_SIGNALS) {
    process.on(each, () => {
      asked ??= each;
      // A terminal's Ctrl-C reaches the agent as well, a supervisor's signal does not.
      child.kill(each);
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
    });
  }
  const [code, signal] = await new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (...ended) => resolve(ended));
  });
  const ending = asked ?? signal;
  if (ending === null) return code ?? 0;
  return ENDING_SIGNALS.includes(ending) ? 128 + constants.signals[ending] : reportKilled(ending, argv);
}

function reportKilled(signal: NodeJS.Signals, argv: readonly string[]): number {
  const error = new StepforkError(
    'entrypoint_ended_process',
    `the process that ran the entrypoint was ended by ${signal} before its result was in. Look for a crash or for a lack of memory in what it runs.`,
  );
  return reportFailure(error, createProcessTerminal(stdoutResults()), { json: argv.includes('--json'), debug: false });
}
