import { beforeDashes } from './command-line.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { reportFailure } from './failure.js';
import type { Terminal } from './terminal.js';
import { nameAndVersion } from './version.js';

/** Runs one command line. Never throws: a failure is told, and its exit code returned. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    // Answered without loading the parser: scripts and shell prompts ask this often.
    if (argv.length === 1 && argv[0] === '--version') {
      terminal.result(nameAndVersion());
      return EXIT.same;
    }
    if (argv[0] === '--get-completions') return await complete(argv[1] ?? '', terminal);
    const { parseCommandLine } = await import('./program.js');
    const request = await parseCommandLine(argv);
    if (request.kind === 'run') return await request.action(terminal);
    terminal.result(request.text);
    return EXIT.same;
  } catch (error) {
    const own = beforeDashes(argv);
    return reportFailure(error, terminal, { json: own.includes('--json'), debug: own.includes('--debug') });
  }
}

/** Answers a shell that asks what a command line may go on with (completion/scripts.ts). */
async function complete(line: string, terminal: Terminal): Promise<ExitCode> {
  const { COMMANDS } = await import('./program.js');
  const { candidatesFor } = await import('./completion/candidates.js');
  const found = await candidatesFor(line, COMMANDS);
  if (found.length > 0) terminal.result(found.join('\n'));
  return EXIT.same;
}
