import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type CommandHelp, readHelp } from '../../src/command-help.js';
import { blocks } from '../../src/markdown.js';
import { docsPages } from '../../src/site.js';
import { publicPackages, ROOT } from '../../src/workspace.js';

interface Line {
  readonly place: string;
  readonly text: string;
}

const PAGES = [
  'README.md',
  'examples/README.md',
  ...publicPackages().map(({ folder }) => `${folder}/README.md`),
  ...docsPages().map((page) => `docs/${page}`),
];

/** Flags of the Python original, which pages compare ours with. */
const OF_THE_ORIGINAL = new Set(['--pytest']);

const pages = PAGES.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
let help: CommandHelp;

beforeAll(async () => {
  help = await readHelp();
});

/** What stands in inline code. */
const spans: readonly Line[] = pages.flatMap(({ path, text }) => {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => ({
    place: path,
    text: span.replaceAll(/\s*\n\s*/g, ' '),
  }));
});

/**
 * The lines of the code blocks; one that ends in a backslash goes on in the next. `console` blocks are left to the
 * command's own tests, which run them: some show what a slip is told.
 */
const code: readonly Line[] = pages.flatMap(({ path, text }) =>
  blocks(text)
    .filter(({ language }) => language !== 'console')
    .flatMap((block) =>
      block.text
        .replaceAll(/\\\n(\/\/)?\s*/g, '')
        .split('\n')
        .map((line) => ({ place: `${path}:${block.line}`, text: line })),
    ),
);

/** Each `stepfork <command> …` of a line, up to where another command begins. */
function invocations({ place, text }: Line): readonly { place: string; command: string; flags: readonly string[] }[] {
  return [...text.matchAll(/(?<![\w@/'"-])stepfork ([a-z][a-z-]*)([^|;&#]*)/g)].map(([, command = '', rest = '']) => ({
    place,
    command,
    flags: flagsOf(rest.split(/ -- /)[0] ?? ''),
  }));
}

const flagsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?<=^|\s)--[a-z][a-z-]*/g)].map(([flag]) => flag);

test('every command that a page names is one of the command line', () => {
  const named = [...spans, ...code].flatMap(invocations);
  expect(named.length).toBeGreaterThan(50);
  const unknown = named.filter(({ command }) => !help.has(command));
  expect(unknown.map(({ place, command }) => `${place} stepfork ${command}`)).toEqual([]);
});

test('every flag that a page gives to a command is one of that command', () => {
  const given = [...spans, ...code]
    .flatMap(invocations)
    .flatMap(({ place, command, flags }) => flags.map((flag) => ({ place, command, flag })))
    .filter(({ flag }) => !OF_THE_ORIGINAL.has(flag));
  expect(given.length).toBeGreaterThan(50);
  const unknown = given.filter(({ command, flag }) => help.get(command)?.has(flag) !== true);
  expect(unknown.map(({ place, command, flag }) => `${place} stepfork ${command} ${flag}`)).toEqual([]);
});

test('every flag that stands in a page by itself is one of some command', () => {
  const all = new Set([...help.values()].flatMap((flags) => [...flags]));
  const alone = spans.filter(({ text }) => text.startsWith('--'));
  expect(alone.length).toBeGreaterThan(50);
  const unknown = alone.filter(({ text }) =>
    flagsOf(text).some((flag) => !all.has(flag) && !OF_THE_ORIGINAL.has(flag)),
  );
  expect(unknown.map(({ place, text }) => `${place} ${text}`)).toEqual([]);
});

test('docs/cli.md names every flag of every command', () => {
  const page = pages.find(({ path }) => path === 'docs/cli.md')?.text ?? '';
  const named = (flag: string): boolean => new RegExp(`${flag}(?![a-z-])`).test(page);
  const negated = (flag: string): string => flag.replace('--', '--no-');
  const silent = [...help].flatMap(([command, flags]) =>
    [...flags]
      .filter((flag) => !flag.startsWith('--no-') && !named(flag) && !named(negated(flag)))
      .map((flag) => `${command} ${flag}`),
  );
  expect(silent).toEqual([]);
});
