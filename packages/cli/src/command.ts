import type { Argv, InferredOptionTypes, Options } from 'yargs';
import { addFlags } from './add-flags.js';
import type { ExitCode } from './exit-code.js';
import type { Terminal } from './terminal.js';
import type { Wanted } from './traces/find-bundle.js';

/** What a parsed command line comes to. */
export type Action = (terminal: Terminal) => Promise<ExitCode>;

/** What was given for operands and flags; a flag's name in camelCase, as yargs hands it over. */
export type Given<
  Operands extends string,
  Flags extends Record<string, Options>,
  Optional extends string = never,
> = Readonly<Record<Operands, string>> & { readonly [Name in Optional]: string | undefined } & {
  readonly [Name in keyof Flags as CamelCase<Name & string>]: InferredOptionTypes<Flags>[Name];
};

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** One verb of the program, as data. */
export interface Command<
  Operands extends string,
  Flags extends Record<string, Options>,
  Optional extends string = never,
> {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What stands without a flag and is required: name → description. */
  readonly operands: Readonly<Record<Operands, string>>;
  /** What may stand after it. */
  readonly optional?: Readonly<Record<Optional, string>>;
  /** Operands that name a bundle, which need not be by its path: `latest`, or the beginning of a run's id. */
  readonly bundles?: readonly Operands[];
  /** Which bundle `latest` is. */
  readonly wanted?: Wanted;
  readonly flags: Flags;
  /** Flags that exclude each other. */
  readonly exclusive?: readonly (readonly [string, string])[];
  readonly examples: readonly (readonly [commandLine: string, what: string])[];
  /** Throws `usage` for what is wrong with the line alone, whatever the files hold. */
  readonly check?: (given: Given<Operands, Flags, Optional>) => void;
  /** Loads what is heavy only now. */
  readonly run: (given: Given<Operands, Flags, Optional>, terminal: Terminal) => Promise<ExitCode>;
}

/** A command whose operands and flags are nobody else's business. */
export interface RegisteredCommand {
  readonly name: string;
  /** `<bundle>`, for messages. */
  readonly operands: string;
  /** Names of its flags. */
  readonly options: readonly string[];
  /** Adds the command to a yargs instance; `choose` is called when the line names it. */
  readonly register: (line: Argv, choose: (action: Action) => void) => void;
}

export function defineCommand<
  Operands extends string,
  Flags extends Record<string, Options>,
  Optional extends string = never,
>(command: Command<Operands, Flags, Optional>): RegisteredCommand {
  const operands = Object.entries<string>(command.operands);
  const optional = Object.entries<string>(command.optional ?? {});
  const pattern = [...operands.map(([name]) => `<${name}>`), ...optional.map(([name]) => `[${name}]`)].join(' ');
  return {
    name: command.name,
    operands: operands.map(([name]) => `<${name}>`).join(' and '),
    options: Object.keys(command.flags),
    register: (line, choose) => {
      line.command(
        `${command.name} ${pattern}`,
        command.summary,
        (sub) => {
          for (const [name, describe] of [...operands, ...optional]) sub.positional(name, { type: 'string', describe });
          for (const [one, other] of command.exclusive ?? []) sub.conflicts(one, other);
          for (const [commandLine, what] of command.examples) sub.example(commandLine, what);
          return addFlags(sub, command.flags).epilogue('');
        },
        (line) => {
          // yargs has checked the line against exactly these declarations.
          const given = line as unknown as Given<Operands, Flags, Optional>;
          choose(async (terminal) => {
            command.check?.(given);
            return command.run(await withBundlePaths(given, command.bundles ?? [], command.wanted), terminal);
          });
        },
      );
    },
  };
}

async function withBundlePaths<G extends object>(
  given: G,
  names: readonly (keyof G)[],
  wanted: Wanted | undefined,
): Promise<G> {
  if (names.length === 0) return given;
  const { findBundle } = await import('./traces/find-bundle.js');
  return { ...given, ...Object.fromEntries(names.map((name) => [name, findBundle(String(given[name]), wanted)])) };
}
