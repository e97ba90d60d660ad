import { lstatSync, statSync } from 'node:fs';
import { isBundlePath, StepforkError } from '@stepfork/trace-format/write';
import type { ConfigSource } from '../config/config-source.js';
import { nearest } from '../nearest.js';
import { isInBundle } from '../project-folder.js';
import { readNamedFolder, type TraceFolder } from './folder.js';
import type { Run } from './glance.js';
import { isNamedBy, shortIds } from './short-id.js';

/** Which bundles `latest` may mean. `recover` wants what is unfinished, every other command what is finished. */
export type Wanted = 'finished' | 'unfinished';

/**
 * The path of the bundle that somebody named: a path, `latest`, `latest:<agent>`, or the beginning of a run's id. What
 * exists as a path is one, and so is what can be nothing else; runs are looked up in the trace folder, or in the one that
 * stands before them.
 *
 * @throws StepforkError `no_such_run`, `ambiguous_run`
 */
export async function findBundle(named: string, wanted: Wanted = 'finished', config: ConfigSource): Promise<string> {
  const [, inFolder, name = named] = IN_FOLDER.exec(named) ?? [];
  const other = inFolder !== undefined && isOtherFolder(inFolder) ? inFolder : undefined;
  if (isPath(named, other !== undefined)) return named;
  const folder = await readNamedFolder(other, config);
  const run = other === undefined ? named : name;
  const [, agent] = /^latest(?::([\s\S]*))?$/.exec(run) ?? [];
  return run === 'latest' || agent !== undefined
    ? latest(folder, agent, wanted).path
    : runNamed(folder, run, wanted).path;
}

/** `traces/latest`, `traces/599eef76`: a run by the folder that it lies in. An agent's name may hold slashes itself. */
const IN_FOLDER = /^(.*?[\\/])(latest(?::.*)?|[^\\/]+)$/s;

/** What lies in a bundle is no run. */
const isOtherFolder = (path: string): boolean =>
  !isInBundle(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function isPath(named: string, hasFolder: boolean): boolean {
  if (lstatSync(named, { throwIfNoEntry: false }) !== undefined) return true;
  return isBundlePath(named) || (/[\\/]/.test(named) && !hasFolder && !named.startsWith('latest:'));
}

function latest({ path: folder, runs }: TraceFolder, agent: string | undefined, wanted: Wanted): Run {
  const ofAgent = agent === undefined ? runs : runs.filter(({ agent_name }) => agent_name === agent);
  const found = ofAgent.find(({ unfinished }) => unfinished === (wanted === 'unfinished'));
  if (found !== undefined) return preferred([found, ...sameRun(ofAgent, found)], wanted);
  const whose = agent === undefined ? '' : ` of agent '${agent}'`;
  const [other] = ofAgent;
  if (other !== undefined && wanted === 'finished') {
    throw noSuchRun(
      `no run${whose} in ${folder} is finished. Wait for it or, if its process is gone, run: stepfork recover ${other.path}`,
    );
  }
  if (other !== undefined) throw noSuchRun(`no run${whose} in ${folder} is unfinished. There is nothing to recover.`);
  if (agent === undefined || runs.length === 0) throw noSuchRun(`there is no run in ${folder} yet. Record one first.`);
  throw noSuchRun(noRunOf(agent, { path: folder, runs }, (name) => `latest:${name}`));
}

/** That a folder with runs has none of this agent, and of which it has. */
export function noRunOf(
  agent: string,
  { path, runs }: Pick<TraceFolder, 'path' | 'runs'>,
  shown = (name: string): string => name,
): string {
  const names = [...new Set(runs.map(({ agent_name }) => agent_name))];
  const near = nearest(agent, names);
  const hint = near === null ? `Its agents are ${listed(names)}.` : `Did you mean '${shown(near)}'?`;
  return `there is no run of agent '${agent}' in ${path}. ${hint}`;
}

const sameRun = (runs: readonly Run[], { run_id, path }: Run): readonly Run[] =>
  runs.filter((run) => run.run_id === run_id && run.path !== path);

function runNamed({ path: folder, runs }: TraceFolder, named: string, wanted: Wanted): Run {
  const found = runs.filter(({ run_id }) => isNamedBy(run_id, named));
  const ids = new Set(found.map(({ run_id }) => run_id));
  if (ids.size > 1) {
    const short = [...shortIds(runs.map(({ run_id }) => run_id))].filter(([id]) => ids.has(id));
    throw ambiguous(`${ids.size} runs in ${folder} begin with '${named}': ${listed(short.map(([, id]) => id))}`);
  }
  const [one, ...copies] = found;
  if (one !== undefined) return preferred([one, ...copies], wanted);
  throw noSuchRun(
    `'${named}' is neither a bundle's path nor the beginning of a run's id in ${folder}. Run 'stepfork list' to see the runs, or give the path of a .sftrace bundle.`,
  );
}

/** One run may lie there more than once. A folder is preferred to its packed copy; two of a kind are too many. */
function preferred([one, ...more]: readonly [Run, ...Run[]], wanted: Wanted): Run {
  const rank = ({ unfinished, packed }: Run): number =>
    (unfinished === (wanted === 'unfinished') ? 0 : 2) + (packed ? 1 : 0);
  const best = more.reduce((least, copy) => (rank(copy) < rank(least) ? copy : least), one);
  const equal = [one, ...more].filter((copy) => rank(copy) === rank(best)).map(({ path }) => path);
  if (equal.length === 1) return best;
  throw ambiguous(`${equal.length} bundles hold the run '${best.run_id}': ${listed(equal)}`);
}

const LISTED = 5;

function listed(names: readonly string[]): string {
  const more = names.length > LISTED ? `, and ${names.length - LISTED} more` : '';
  return `${names.slice(0, LISTED).join(', ')}${more}`;
}

const noSuchRun = (message: string): StepforkError => new StepforkError('no_such_run', message);

const ambiguous = (message: string): StepforkError =>
  new StepforkError('ambiguous_run', `${message}. Give more of the id, or the bundle's path.`);
