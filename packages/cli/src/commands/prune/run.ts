import { existsSync, lstatSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { displayText } from '@stepfork/trace-format/write';
import type { ConfigSource } from '../../config/config-source.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { type Column, fitted } from '../../fitted-columns.js';
import { folded } from '../../fold.js';
import { displayLine, jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { type Cell, textTable } from '../../text-table.js';
import { tracesBelow } from '../../traces/elsewhere.js';
import { readNamedFolder, type TraceFolder } from '../../traces/folder.js';
import { glanceAt, isRun, type Run } from '../../traces/glance.js';
import { keptRuns } from '../../traces/kept.js';
import { type Selection, selects } from '../../traces/selection.js';
import { shortIds } from '../../traces/short-id.js';
import { formatAge, formatSize } from '../../traces/units.js';
import {
  type Doomed,
  KEPT,
  type Limits,
  type PrunePlan,
  planPrune,
  type Spared,
  sizeOf,
  spareUnreadable,
  whySpared,
} from './plan.js';
import { isLink, removeBundle, removeLeftovers } from './remove.js';

interface Given extends Selection, Limits {
  readonly dir: string | undefined;
  readonly yes: boolean | undefined;
  readonly json: boolean | undefined;
}

/** What was done of a plan, or would be. */
interface Outcome extends PrunePlan {
  /** Bundles that somebody else removed first. */
  readonly gone: number;
  readonly failures: number;
}

export async function runPrune(given: Given, terminal: Terminal, config: ConfigSource): Promise<ExitCode> {
  const folder = await readNamedFolder(given.dir, config);
  const now = Date.now();
  const plan = planFor(folder, given, now);
  const outcome = given.yes ? carryOut(folder, plan, now) : { ...plan, gone: 0, failures: 0 };
  terminal.result(given.json ? documentOf(folder, outcome, given) : textOf(folder, outcome, given, now, terminal));
  if (outcome.failures === 0) return EXIT.same;
  terminal.message(
    `stepfork: ${outcome.failures} of ${plan.doomed.length} bundles could not be removed. Check that the folder may be written to, and run it again.`,
  );
  return EXIT.different;
}

function planFor(folder: TraceFolder, given: Given, now: number): PrunePlan {
  const { failed, completed, agent, tag } = given;
  const runs = folder.runs.filter((run) => selects({ failed, completed, agent, tag }, run));
  const isKept = keptRuns(folder.path);
  const plan = planPrune(runs, given, now, (run) => whySpared(run, now, isKept, isLink(run.path)));
  return { ...plan, spared: [...plan.spared, ...folder.unreadable.map(spareUnreadable)] };
}

/** Removes what the plan says, each bundle if it still is the one that was looked at. */
function carryOut(folder: TraceFolder, { doomed, spared }: PrunePlan, now: number): Outcome {
  if (existsSync(folder.path)) removeLeftovers(folder.path);
  const removed: Doomed[] = [];
  const left: Spared[] = [];
  let gone = 0;
  let failures = 0;
  for (const one of doomed) {
    const { path } = one.run;
    const changed = whyNotAnyMore(one.run, now);
    const removal = changed === null ? removeBundle(path) : null;
    if (changed !== null) left.push({ path, why: changed });
    else if (removal?.kind === 'removed') removed.push(one);
    else if (removal?.kind === 'gone') gone++;
    else if (removal?.kind === 'kept') left.push({ path, why: KEPT });
    else if (removal !== null) {
      failures++;
      left.push({ path, why: `it could not be removed: ${removal.reason}` });
    }
  }
  return { doomed: removed, spared: [...left, ...spared], gone, failures };
}

/** Agents record, and people keep, while this goes on. */
function whyNotAnyMore({ path, run_id }: Run, now: number): string | null {
  const folder = dirname(path);
  const again = glanceAt(folder, basename(path));
  // Another prune may be at it.
  if (!isRun(again) && lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  if (!isRun(again) || again.run_id !== run_id) return 'something else lies there now';
  return whySpared(again, now, keptRuns(folder), isLink(path));
}

function textOf(
  folder: TraceFolder,
  { doomed, spared, gone }: Outcome,
  { yes }: Given,
  now: number,
  terminal: Terminal,
): string {
  if (folder.runs.length + spared.length === 0) {
    const below = tracesBelow(folder.path);
    return displayText(`there are no runs in ${folder.path}${below === null ? '' : `; there are some in ${below}`}`);
  }
  const of = `${doomed.length} of ${folder.runs.length} ${folder.runs.length === 1 ? 'run' : 'runs'}`;
  const freed = doomed.length === 0 ? '' : `, ${formatSize(sizeOf(doomed.map(({ run }) => run)))}`;
  const lines = [
    folded(displayText(`${yes ? 'removed' : 'would remove'} ${of} in ${folder.path}${freed}`), terminal.columns),
    ...rowsOf(folder, doomed, now, terminal),
    ...(gone === 0 ? [] : [`${gone} more ${gone === 1 ? 'was' : 'were'} gone already`]),
    ...spared.map(({ path, why }) =>
      folded(displayText(`left alone: ${relative('', path)}: ${why}`), terminal.columns),
    ),
  ];
  return [
    ...lines,
    ...(yes || doomed.length === 0 ? [] : [folded('nothing was removed yet: --yes removes them', terminal.columns)]),
  ].join('\n');
}

function rowsOf(folder: TraceFolder, doomed: readonly Doomed[], now: number, terminal: Terminal): readonly string[] {
  const short = shortIds(folder.runs.map(({ run_id }) => run_id));
  const { columns } = terminal;
  const cells = (cell: (one: Doomed) => Cell): Column => ({ heading: '', cells: doomed.map(cell) });
  const all: readonly Column[] = [
    cells(({ run }) => ({ text: `  ${displayText(short.get(run.run_id) ?? run.run_id)}` })),
    {
      ...cells(({ run }) => ({ text: displayLine(run.agent_name, columns === null ? null : 30) })),
      fair: 12,
      least: 5,
    },
    { ...cells(({ run }) => ({ text: run.unfinished ? 'unfinished' : run.status })), yields: 2 },
    cells(({ run }) => ({ text: formatAge(now - run.createdAt), right: true })),
    { ...cells(({ run }) => ({ text: formatSize(run.size), right: true })), yields: 1 },
    { ...cells(({ reasons }) => ({ text: reasons.join(', ') })), fair: 22, least: 8 },
  ];
  const shown = columns === null ? all : fitted(all, columns);
  return textTable(doomed.map((_, at) => shown.flatMap((column) => column.cells[at] ?? [])));
}

function documentOf(folder: TraceFolder, { doomed, spared }: PrunePlan, { yes }: Given): string {
  return jsonDocument({
    schema: 'stepfork.prune/1',
    folder: folder.path,
    dry_run: !yes,
    removed: doomed.map(({ run, reasons }) => ({
      bundle: run.path,
      run_id: run.run_id,
      agent_name: run.agent_name,
      status: run.status,
      created_at: run.created_at,
      size_bytes: run.size,
      reasons,
    })),
    left_alone: spared.map(({ path, why }) => ({ bundle: path, message: why })),
  });
}
