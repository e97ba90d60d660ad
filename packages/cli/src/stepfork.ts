import { beforeDashes } from './command-line.js';
import { stdoutResults } from './results.js';
import { runProgram } from './run-program.js';

/** Commands that run the user's code, which gets a process of its own. */
const RUNS_USER_CODE = new Set(['replay', 'export']);

const argv = process.argv.slice(2);
const own = beforeDashes(argv);
const command = own.find((word) => !word.startsWith('-')) ?? '';
if (RUNS_USER_CODE.has(command) && !own.some((word) => word === '--help' || word === '-h' || word === '--version')) {
  const { runAgentProcess } = await import('./agent-process.js');
  process.exitCode = await runAgentProcess(argv);
} else {
  await runProgram(argv, stdoutResults());
}
