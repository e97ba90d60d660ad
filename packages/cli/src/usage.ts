import { StepforkError } from '@stepfork/trace-format/write';
import type { RegisteredCommand } from './command.js';
import { nearest } from './nearest.js';

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
  const help = `Run 'stepfork ${command.name} --help' to see what it takes`;

  const unknown = /^Unknown arguments?: ([^,]+)/.exec(fault)?.[1];
  if (unknown !== undefined) {
    const flag = argv.find((part) => part.replace(/^--?(no-)?/, '').split('=', 1)[0] === unknown && part !== unknown);
    if (flag === undefined) return usage(`'${command.name}' does not take '${unknown}'. ${help}.`);
    const near = nearest(unknown, command.options);
    return usage(
      `'${command.name}' has no option '--${unknown}'. ${near === null ? help : `Did you mean '--${near}'? ${help}`}.`,
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

function unknownCommand(word: string, commands: readonly RegisteredCommand[]): StepforkError {
  const near = nearest(
    word,
    commands.map(({ name }) => name),
  );
  const next = "Run 'stepfork --help' to see the commands.";
  const what = word.startsWith('-') ? `option '${word}'` : `command '${word}'`;
  return usage(`there is no ${what}. ${near === null ? next : `Did you mean '${near}'? ${next}`}`);
}

const usage = (message: string): StepforkError => new StepforkError('usage', message);
