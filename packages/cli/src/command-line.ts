import { StepforkError } from '@stepfork/trace-format/write';
import type { RegisteredCommand } from './command.js';

/** Marks a word that stood after `--`, for the parser, which knows no such words. No argument of a process holds it. */
const AS_IT_IS = '\0';

/** What stands before a `--`: what is ours to understand. */
export function beforeDashes(argv: readonly string[]): readonly string[] {
  const dashes = argv.indexOf('--');
  return dashes === -1 ? argv : argv.slice(0, dashes);
}

/**
 * A command line in which each word after `--` is an operand, whatever it begins with. What `record` is given there is the
 * command line of another program, and stays.
 *
 * @throws StepforkError `usage` for a flag without the value that it takes, or with one that it does not take
 */
export function withOperands(argv: readonly string[], commands: readonly RegisteredCommand[]): readonly string[] {
  const own = beforeDashes(argv);
  const word = own.find((part) => !part.startsWith('-'));
  const command = commands.find(({ name }) => name === word);
  if (command === undefined) return argv;
  for (const part of own) requireSwitch(part, command);
  if (own.length === argv.length || command.takesProgram) return argv;
  const [, flag = ''] = /^--([\w-]+)$/.exec(own.at(-1) ?? '') ?? [];
  if (command.valued.has(flag)) throw usage(`'--${flag}' needs a value. ${helpOf(command)}.`);
  return [...own, ...argv.slice(own.length + 1).map((operand) => AS_IT_IS + operand)];
}

/** Flags of every command, which take nothing. */
const COMMON = new Set(['debug', 'help', 'version']);

/** A flag that takes nothing says yes or no, and is no typing error for another one. */
function requireSwitch(part: string, command: RegisteredCommand): void {
  const [, name = '', value = ''] = /^--(?:no-)?([\w-]+)=(.*)$/s.exec(part) ?? [];
  // The parser takes --dryRun for --dry-run.
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const isSwitch = COMMON.has(flag) || (command.options.includes(flag) && !command.valued.has(flag));
  if (!isSwitch || /^(?:true|false)$/.test(value)) return;
  throw usage(`'--${flag}' takes no value, and was given '${value}'. ${helpOf(command)}.`);
}

/** An operand, or a message that names some, as they were given. */
export const asGiven = (text: string): string => text.replaceAll(AS_IT_IS, '');

export const helpOf = ({ name }: RegisteredCommand): string => `Run 'stepfork ${name} --help' to see what it takes`;

const usage = (message: string): StepforkError => new StepforkError('usage', message);
