import type { Argv, Options } from 'yargs';

/** How a command line is read: names as they stand, values as the texts they are, and the last of a flag counts. */
export const PARSING = {
  'dot-notation': false,
  'duplicate-arguments-array': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
};

/**
 * Adds a command's flags. The parser makes lists either of all flags that are given again or of none: where one is a
 * list, the others still count as they were given last.
 */
export function addFlags(line: Argv, flags: Readonly<Record<string, Options>>): Argv {
  if (!Object.values(flags).some(isList)) return line.options(flags);
  return line
    .parserConfiguration({ ...PARSING, 'duplicate-arguments-array': true, 'greedy-arrays': false })
    .options(
      Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, isList(flag) ? flag : single(flag)])),
    );
}

const isList = ({ array }: Options): boolean => array === true;

function single(flag: Options): Options {
  const coerce: (given: unknown) => unknown = flag.coerce ?? ((given) => given);
  return { ...flag, coerce: (given: unknown) => coerce(Array.isArray(given) ? (given.at(-1) as unknown) : given) };
}
