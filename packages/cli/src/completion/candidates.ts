import type { RegisteredCommand } from '../command.js';
import { loadDataConfig } from '../config/load-config.js';
import { readNamedFolder } from '../traces/folder.js';
import { shortIds } from '../traces/short-id.js';

/** Runs that are offered by their id. */
const MOST_IDS = 20;
/** A shell puts a candidate into the command line as it is, and names come from bundles of anybody's. */
const HARMLESS = /^[\w@.:/+=-]+$/;

/**
 * What the last word of a command line may become, given what stands before it. Nothing where it is a file, which
 * shells complete by themselves.
 *
 * @param line up to the cursor, the program's name included
 */
export async function candidatesFor(line: string, commands: readonly RegisteredCommand[]): Promise<readonly string[]> {
  const [, ...words] = line.trimStart().split(/\s+/);
  const current = words.pop() ?? '';
  const fitting = (all: readonly string[]): readonly string[] =>
    all.filter((each) => each.startsWith(current) && HARMLESS.test(each));

  const at = words.findIndex((word) => !word.startsWith('-'));
  const command = commands.find(({ name }) => name === words[at]);
  if (at === -1) return fitting([...commands.map(({ name }) => name), 'help', '--help', '--version']);
  if (words[at] === 'help' && words.length === at + 1) return fitting(commands.map(({ name }) => name));
  if (command === undefined) return [];
  const before = words.slice(at + 1);
  const last = before.at(-1) ?? '';
  const [, assigned] = /^--([\w-]+)=/.exec(current) ?? [];
  if (assigned !== undefined) {
    return fitting((await valuesOf(command, assigned)).map((value) => `--${assigned}=${value}`));
  }
  if (takesValue(command, last)) return fitting(await valuesOf(command, last.slice(2)));
  if (current.startsWith('-')) return fitting([...command.options.map((name) => `--${name}`), '--help']);
  const given = before.filter((word, index) => !word.startsWith('-') && !takesValue(command, before[index - 1] ?? ''));
  return given.length < command.bundles ? fitting(await bundleNames()) : [];
}

const takesValue = ({ valued }: RegisteredCommand, word: string): boolean =>
  word.startsWith('--') && valued.has(word.slice(2));

async function valuesOf({ valued }: RegisteredCommand, flag: string): Promise<readonly string[]> {
  return flag === 'agent' ? agentNames() : (valued.get(flag) ?? []);
}

async function bundleNames(): Promise<readonly string[]> {
  const runs = await listedRuns();
  if (runs.length === 0) return [];
  const ids = [...shortIds(runs.map(({ run_id }) => run_id))];
  const newest = new Set(runs.slice(0, MOST_IDS).map(({ run_id }) => run_id));
  const agents = (await agentNames()).map((name) => `latest:${name}`);
  return ['latest', ...agents, ...ids.filter(([id]) => newest.has(id)).map(([, short]) => short)];
}

const agentNames = async (): Promise<readonly string[]> => [
  ...new Set((await listedRuns()).map(({ agent_name }) => agent_name)),
];

async function listedRuns() {
  try {
    return (await readNamedFolder(undefined, async () => loadDataConfig())).runs;
  } catch {
    // Nobody asked for anything yet, so nothing can be reported.
    return [];
  }
}
