import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { StepforkError } from '@stepfork/trace-format/write';
import { formatDuration } from './duration.js';

/** How a process that ran a command line ended. */
export interface AgentEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether it was killed since its time was over. */
  readonly isLate: boolean;
}

export interface AgentChild {
  readonly process: ChildProcess;
  readonly ended: Promise<AgentEnd>;
}

/**
 * Starts a process that runs a command line, the user's code included. It ends when this one does, however that ends.
 *
 * @param limitMs after which it is killed
 */
export function startAgent(argv: readonly string[], stdio: StdioOptions, limitMs: number | null = null): AgentChild {
  const program = fileURLToPath(new URL('../bin/agent.js', import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, program, String(process.pid), ...argv], { stdio });
  let isLate = false;
  const over = (): void => {
    isLate = child.kill('SIGKILL');
  };
  const timer = limitMs === null ? undefined : setTimeout(over, limitMs);
  const ended = new Promise<AgentEnd>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, isLate }));
  }).finally(() => clearTimeout(timer));
  return { process: child, ended };
}

/** Why there is no result of a process that was killed; null where one ended by itself. */
export function whyKilled({ signal, isLate }: AgentEnd, limitMs: number | null = null): StepforkError | null {
  if (isLate) return late(limitMs ?? 0);
  if (signal === null) return null;
  return new StepforkError(
    'entrypoint_ended_process',
    `the process that ran the entrypoint was ended by ${signal} before its result was in. Look for a crash or for a lack of memory in what it runs.`,
  );
}

function late(limitMs: number): StepforkError {
  return new StepforkError(
    'entrypoint_ended_process',
    `the run did not end within the ${formatDuration(limitMs)} of --timeout, and was killed. Look for what it waits for, or give it more time.`,
  );
}
