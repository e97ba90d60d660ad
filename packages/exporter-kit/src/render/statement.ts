/** Columns that biome and prettier fill by default. */
const WIDTH = 80;

/**
 * A call at the start of a line, laid out as formatters have it: on one line where it fits, else a line for each
 * argument.
 *
 * @param end what follows it: `;` or `,`
 */
export function callSource(callee: string, args: readonly string[], indent: number, end: string): string {
  const line = `${callee}(${args.join(', ')})${end}`;
  if (args.length === 0 || (!line.includes('\n') && indent + line.length <= WIDTH)) return line;
  const margin = ' '.repeat(indent + 2);
  return `${callee}(\n${args.map((arg) => `${margin}${arg},\n`).join('')}${' '.repeat(indent)})${end}`;
}
