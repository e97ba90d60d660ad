// The page of every option, from what yargs prints of the commands' definitions.

const INTRODUCTION = `# Every option

What each command takes, as \`stepfork <command> --help\` has it: this page is made of that, and a test holds it to it
(\`npm run write:cli-options\` in \`packages/e2e\`). What the commands do, with their real output and their exit codes, is in
[the \`stepfork\` command](cli.md). What an option of \`texts\` takes is given by saying the option again; one that takes nothing
is denied by a \`no-\` before its name, as in \`--no-copy\`.

`;

/** Those of every command, shown once. */
const OF_ALL = new Set(['--debug', '--version', '--help']);

interface Row {
  readonly name: string;
  readonly what: string;
  /** What yargs says in brackets: its type, its choices, its default. */
  readonly marks: string;
}

/** @param helpTexts what each command's help prints, by the command's name */
export function cliOptionsPage(helpTexts: ReadonlyMap<string, string>): string {
  const [first = ''] = helpTexts.values();
  const common = rowsOf(first, 'Options').filter(({ name }) => OF_ALL.has(name));
  return [`${INTRODUCTION}${table(common)}`, ...[...helpTexts].map(([name, text]) => sectionOf(name, text))].join('\n');
}

function sectionOf(name: string, help: string): string {
  const [usage = '', what = ''] = help.split('\n\n');
  const rows = [
    ...rowsOf(help, 'Positionals').map((row) => ({ ...row, name: placeOf(row) })),
    ...rowsOf(help, 'Options').filter((row) => !OF_ALL.has(row.name)),
  ];
  const examples = examplesIn(help);
  return [
    `## ${name}\n`,
    `\`${usage.trim()}\`: ${inProse(lowerFirst(what.trim()))}.\n`,
    ...(rows.length === 0 ? [] : [table(rows)]),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join('\n')}\n\`\`\`\n`]),
  ].join('\n');
}

/** What stands in no option, as the usage has it. */
const placeOf = ({ name, marks }: Row): string => (marks.includes('[required]') ? `<${name}>` : `[${name}]`);

const table = (rows: readonly Row[]): string =>
  [
    '| | takes | |',
    '|---|---|---|',
    ...rows.map((row) => `| \`${row.name}\` | ${taken(row)} | ${inProse(row.what)} |`),
    '',
  ].join('\n');

/** The lines below a heading of a help text, up to the next blank one. */
function linesBelow(help: string, heading: string): readonly string[] {
  const [, below = ''] = help.split(`\n${heading}:\n`);
  const [lines = ''] = below.split('\n\n');
  return lines.split('\n').filter((line) => line.trim() !== '');
}

function rowsOf(help: string, heading: string): readonly Row[] {
  return linesBelow(help, heading).map((line) => {
    const [, name = '', what = '', marks = ''] = /^ +(?:-\w, )?(\S+) +(.*?) {2}(\[.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`'${line}' is no line of a help text that is known here`);
    return { name, what, marks };
  });
}

function taken({ marks }: Row): string {
  const standard = /\[default: "?(.*?)"?\](?: \[|$)/.exec(marks)?.[1];
  const choices = /\[choices: ([^\]]*)\]/.exec(marks)?.[1]?.replaceAll('"', '').split(', ');
  if (choices !== undefined) {
    return choices.map((choice) => `\`${choice}\`${choice === standard ? ' (unless given)' : ''}`).join(', ');
  }
  const type = /\[(boolean|string|number|array)\]/.exec(marks)?.[1] ?? 'string';
  const words = {
    boolean: standard === 'true' ? 'nothing; on unless given' : 'nothing',
    string: 'a text',
    number: 'a number',
    array: 'texts',
  };
  return `${words[type as keyof typeof words]}${marks.includes('[required]') ? ', always' : ''}`;
}

/** `stepfork list --failed # what went wrong`: yargs puts two spaces or more before what an example is for. */
const examplesIn = (help: string): readonly string[] =>
  linesBelow(help, 'Examples').map((line) => line.trim().replace(/ {2,}(\S.*)$/, ' # $1'));

const inProse = (text: string): string => text.replaceAll(/[<|_*]/g, '\\$&');

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
