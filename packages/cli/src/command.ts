import { StepforkError } from '@stepfork/trace-format/write';
import type { Argv, InferredOptionTypes, Options } from 'yargs';
import { addFlags } from './add-flags.js';
import { asGiven } from './command-line.js';
import { type ConfigSource, configSource } from './config/config-source.js';
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
  /** Whether it runs the project's code anyway, and so its configuration too where that is code. */
  readonly runsCode?: boolean;
  readonly flags: Flags;
  /** Values that a shell offers for a flag which takes others, too. */
  readonly suggested?: Readonly<Partial<Record<keyof Flags, readonly string[]>>>;
  /** Flags that exclude each other. */
  readonly exclusive?: readonly (readonly [string, string])[];
  readonly examples: readonly (readonly [commandLine: string, what: string])[];
  /** Throws `usage` for what is wrong with the line alone, whatever the files hold. */
  readonly check?: (given: Given<Operands, Flags, Optional>) => void;
  /** Loads what is heavy only now. */
  readonly run: (
    given: Given<Operands, Flags, Optional>,
    terminal: Terminal,
    config: ConfigSource,
  ) => Promise<ExitCode>;
}

/** A command whose operands and flags are nobody else's business. */
export interface RegisteredCommand {
  readonly name: string;
  /** `<bundle>`, for messages. */
  readonly operands: string;
  /** Names of its flags. */
  readonly options: readonly string[];
  /** Flags that take a value, and the values that are known. */
  readonly valued: ReadonlyMap<string, readonly string[]>;
  /** How many of its operands, the first ones, name a bundle. */
  readonly bundles: number;
  /** Whether what stands after `--` is the command line of another program. */
  readonly takesProgram: boolean;
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
    valued: new Map(Object.entries(command.flags).flatMap((flag) => valuesOf(flag, command.suggested))),
    bundles: command.bundles?.length ?? 0,
    takesProgram: false,
    register: (line, choose) => {
      line.command(
        `${command.name} ${pattern}`.trimEnd(),
        command.summary,
        (sub) => {
          for (const [name, describe] of [...operands, ...optional]) {
            sub.positional(name, { type: 'string', coerce: operandOf(name), describe });
          }
          for (const [one, other] of command.exclusive ?? []) sub.conflicts(one, other);
          for (const [commandLine, what] of command.examples) sub.example(commandLine, what);
          return addFlags(sub, command.flags).epilogue('');
        },
        (line) => {
          // yargs has checked the line against exactly these declarations.
          const given = line as unknown as Given<Operands, Flags, Optional>;
          choose(async (terminal) => {
            command.check?.(given);
            const json = Object.hasOwn(given, 'json') && (given as { readonly json?: unknown }).json === true;
            const config = configSource(command.runsCode === true, json, terminal);
            return command.run(await withBundlePaths(given, command, config), terminal, config);
          });
        },
      );
    },
  };
}

/** What was given for an operand. An empty one is a variable of a script's that was not set, and names nothing. */
const operandOf =
  (name: string) =>
  (given: string): string => {
    const operand = asGiven(given);
    if (operand !== '') return operand;
    throw new StepforkError('usage', `what was given for '${name}' is empty. Give its path or its name.`);
  };

function valuesOf(
  [name, { type, choices }]: readonly [string, Options],
  suggested: Readonly<Record<string, readonly string[] | undefined>> = {},
): readonly (readonly [string, readonly string[]])[] {
  return type === 'boolean' ? [] : [[name, suggested[name] ?? (choices ?? []).map(String)]];
}

async function withBundlePaths<G extends object>(
  given: G,
  { bundles = [], wanted }: { readonly bundles?: readonly (keyof G)[]; readonly wanted?: Wanted },
  config: ConfigSource,
): Promise<G> {
  if (bundles.length === 0) return given;
  const { findBundle } = await import('./traces/find-bundle.js');
  const found: Partial<Record<keyof G, string>> = {};
  for (const name of bundles) found[name] = await findBundle(String(given[name]), wanted, config);
  return { ...given, ...found };
}
