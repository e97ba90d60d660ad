import { stepfork } from './run.js';
import { ROOT } from './workspace.js';

/** What the command says of itself: its commands, each with its flags. */
export type CommandHelp = ReadonlyMap<string, ReadonlySet<string>>;

/** Asks the built command for its help, and for that of each of its commands. */
export async function readHelp(): Promise<CommandHelp> {
  return new Map([...(await readHelpTexts())].map(([name, text]) => [name, flagsIn(text)]));
}

/** What `stepfork <command> --help` prints, for each command in the order in which `stepfork --help` has them. */
export async function readHelpTexts(): Promise<ReadonlyMap<string, string>> {
  const commands = namesIn(await help());
  return new Map(await Promise.all(commands.map(async (name) => [name, await help(name)] as const)));
}

async function help(...command: readonly string[]): Promise<string> {
  const { exit, stdout, output } = await stepfork([...command, '--help'], { cwd: ROOT });
  if (exit !== 0) throw new Error(output);
  return stdout;
}

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^ {2}stepfork ([a-z-]+)/gm)].map(([, name = '']) => name);

/** A boolean flag can be said with `no-` as well. */
function flagsIn(text: string): ReadonlySet<string> {
  const lines = [...text.matchAll(/^ +(?:-\w, )?--([a-z][a-z-]*)(.*)$/gm)];
  return new Set(
    lines.flatMap(([, flag = '', rest = '']) => [`--${flag}`, ...(rest.includes('[boolean]') ? [`--no-${flag}`] : [])]),
  );
}
