import { isStepforkError } from '@stepfork/trace-format/write';
import yargs from 'yargs';
import { PARSING } from './add-flags.js';
import type { Action, RegisteredCommand } from './command.js';
import { asGiven, beforeDashes, withOperands } from './command-line.js';
import { completionCommand } from './commands/completion/command.js';
import { diffCommand } from './commands/diff/command.js';
import { expectCommand } from './commands/expect/command.js';
import { exportCommand } from './commands/export/command.js';
import { initCommand } from './commands/init/command.js';
import { inspectCommand } from './commands/inspect/command.js';
import { keepCommand } from './commands/keep/command.js';
import { listCommand } from './commands/list/command.js';
import { packCommand } from './commands/pack/command.js';
import { pruneCommand } from './commands/prune/command.js';
import { recordCommand } from './commands/record/command.js';
import { recoverCommand } from './commands/recover/command.js';
import { replayCommand } from './commands/replay/command.js';
import { scanCommand } from './commands/scan/command.js';
import { scrubCommand } from './commands/scrub/command.js';
import { unpackCommand } from './commands/unpack/command.js';
import { validateCommand } from './commands/validate/command.js';
import { explainUsage } from './usage.js';
import { nameAndVersion } from './version.js';

/** In the order in which a failure is worked through. */
export const COMMANDS: readonly RegisteredCommand[] = [
  recordCommand,
  listCommand,
  inspectCommand,
  validateCommand,
  replayCommand,
  diffCommand,
  expectCommand,
  exportCommand,
  scanCommand,
  scrubCommand,
  packCommand,
  unpackCommand,
  recoverCommand,
  keepCommand,
  pruneCommand,
  initCommand,
  completionCommand,
];

/** What a command line asks for. Parsing it does nothing yet. */
export type Request =
  | { readonly kind: 'run'; readonly action: Action }
  | { readonly kind: 'print'; readonly text: string };

/** Throws `usage` for a command line that cannot be understood. */
export async function parseCommandLine(given: readonly string[]): Promise<Request> {
  const argv = withOperands(given[0] === 'help' ? helpOf(given.slice(1)) : given, COMMANDS);
  let chosen: Action | null = null;
  let printed = '';
  const faults: string[] = [];
  const line = yargs()
    .scriptName('stepfork')
    // Faults are reworded from yargs' English (usage.ts), so the machine's locale must not change it.
    .locale('en')
    .parserConfiguration(PARSING)
    .usage('$0 <command>\n\nAn AI agent failed: make the failure a test.')
    .option('debug', { type: 'boolean', describe: 'Show the stack of an error' })
    .version('version', 'Show name and version', nameAndVersion())
    .help('help', 'Show what a command takes')
    .alias('help', 'h')
    .epilogue('stepfork <command> --help shows what a command takes, with examples.')
    .wrap(null)
    .exitProcess(false)
    .strict()
    .fail((message, error) => {
      if (isStepforkError(error)) throw error;
      faults.push(asGiven(message ?? String(error)));
    });
  for (const command of COMMANDS) {
    command.register(line, (action) => {
      chosen = action;
    });
  }
  await line.parseAsync([...argv], {}, (_error, _parsed, output) => {
    printed = output;
  });
  if (faults.length > 0) throw explainUsage(faults, beforeDashes(given), COMMANDS);
  if (chosen !== null) return { kind: 'run', action: chosen };
  return { kind: 'print', text: printed === '' ? await line.getHelp() : printed };
}

/** `help replay` asks what `replay --help` does. */
function helpOf(words: readonly string[]): readonly string[] {
  const [word] = words;
  if (word !== undefined && COMMANDS.every(({ name }) => name !== word)) throw explainUsage([], words, COMMANDS);
  return [...words.slice(0, 1), '--help'];
}
