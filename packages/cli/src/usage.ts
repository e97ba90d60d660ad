import { isBundlePath, StepforkError } from '@stepfork/trace-format/write';
import type { RegisteredCommand } from './command.js';
import { helpOf } from './command-line.js';
import { nearest } from './nearest.js';
import { shellArgument } from './shell-argument.js';

/**
 * Says in one line, in the program's own form, what yargs found wrong with a command line. A mistyped name
 * comes first: it is usually why something else is missing.
 */
export function explainUsage(
  faults: readonly string[],
  argv: readonly string[],
  commands: readonly RegisteredCommand[],
): StepforkError {
  const fault = faults.find((text) => text.startsWith('Unknown')) ?? faults[0] ?? '';
  const word = argv.find((part) => !part.startsWith('-'));
  const command = commands.find(({ name }) => name === word);
  if (command === undefined) return unknownCommand(word ?? argv[0] ?? '', commands);
  const help = helpOf(command);

  const unknown = /^Unknown arguments?: ([^,]+)/.exec(fault)?.[1];
  if (unknown !== undefined) {
    const flag = argv.find((part) => isFlag(part, unknown));
    if (flag === undefined) return usage(`'${command.name}' does not take '${unknown}'. ${help}.`);
    const near = flag.startsWith('--') ? nearest(unknown, command.options) : null;
    const shown = flag.startsWith('--') ? `--${unknown}` : flag;
    return usage(
      `'${command.name}' has no option '${shown}'. ${near === null ? help : `Did you mean '--${near}'? ${help}`}.`,
    );
  }
  const missing = /^Missing required arguments?: (.+)$/.exec(fault)?.[1];
  if (missing !== undefined) {
    const options = missing.split(', ').map((name) => `--${name}`);
    return usage(`'${command.name}' needs ${options.join(' and ')}. ${help}.`);
  }
  if (fault.startsWith('Not enough non-option arguments')) {
    return usage(`'${command.name}' needs ${command.operands}. ${help}.`);
  }
  const valueless = /^Not enough arguments following: (.+)$/.exec(fault)?.[1];
  if (valueless !== undefined) return usage(`'--${valueless}' needs a value. ${help}.`);
  const choice = /Argument: (\S+), Given: (".*"), Choices: (.+)$/m.exec(fault);
  if (choice !== null) return usage(`'--${choice[1]}' cannot be ${choice[2]}. Give one of ${choice[3]}.`);
  const exclusive = /^Arguments (\S+) and (\S+) are mutually exclusive$/.exec(fault);
  if (exclusive !== null)
    return usage(`'--${exclusive[1]}' and '--${exclusive[2]}' cannot be given together. ${help}.`);
  return usage(`${fault.replace(/\.$/, '')}. ${help}.`);
}

/** Whether a word of the line is what the parser made this name of: `-abc` is three. */
function isFlag(part: string, name: string): boolean {
  if (/^-[^-]/.test(part)) return name.length === 1 && part.split('=', 1)[0]?.includes(name) === true;
  return part !== name && part.replace(/^--(no-)?/, '').split('=', 1)[0] === name;
}

function unknownCommand(word: string, commands: readonly RegisteredCommand[]): StepforkError {
  const near = nearest(
    word,
    commands.map(({ name }) => name),
  );
  const next = "Run 'stepfork --help' to see the commands.";
  // A run is named where the command should be.
  if (/^latest(?::|$)/.test(word) || isBundlePath(word)) {
    return usage(`'${word}' is a run, not a command. Say what to do with it: stepfork inspect ${shellArgument(word)}`);
  }
  const what = word.startsWith('-') ? `option '${word}'` : `command '${word}'`;
  return usage(`there is no ${what}. ${near === null ? next : `Did you mean '${near}'? ${next}`}`);
}

const usage = (message: string): StepforkError => new StepforkError('usage', message);
