import { relative } from 'node:path';
import { createRedactor, type RedactOptions } from '@stepfork/redact';
import { displayText, type Json } from '@stepfork/trace-format/write';
import type { ConfigSource } from '../../config/config-source.js';
import { redactionOf } from '../../config/redaction.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { folded } from '../../fold.js';
import { jsonDocument } from '../../json-text.js';
import { shellArgument } from '../../shell-argument.js';
import type { Terminal } from '../../terminal.js';
import { tracesBelow, tracesElsewhere } from '../../traces/elsewhere.js';
import { noRunOf } from '../../traces/find-bundle.js';
import { isProjectFolder, readNamedFolder, TRACES, type TraceFolder } from '../../traces/folder.js';
import type { Run } from '../../traces/glance.js';
import { keptRuns } from '../../traces/kept.js';
import { isSelective, type Selection, selects } from '../../traces/selection.js';
import { shortIds } from '../../traces/short-id.js';
import { formatList } from './table.js';

interface Given extends Selection {
  readonly dir: string | undefined;
  readonly limit: number | undefined;
  readonly json: boolean | undefined;
}

/** A run as it is listed. */
export interface ListedRun extends Run {
  /** The beginning of its id that names it alone in its folder. */
  readonly short_id: string;
  readonly kept: boolean;
}

export async function runList(given: Given, terminal: Terminal, config: ConfigSource): Promise<ExitCode> {
  const { dir, limit, json, ...selection } = given;
  const folder = await readNamedFolder(dir, config);
  const rules = redactionOf(await config());
  const wanted = folder.runs.filter((run) => selects(selection, run));
  const listed = listedRuns(folder, wanted.slice(0, limit), rules);
  if (json) {
    terminal.result(documentOf(folder, wanted.length, listed));
    return EXIT.same;
  }
  const lines = formatList(listed, Date.now(), terminal);
  for (const { path, reason } of folder.unreadable) {
    const line = folded(displayText(`unreadable: ${relative('', path)}: ${reason}`), terminal.columns);
    lines.push(terminal.paint('red', line));
  }
  if (lines.length > 0) terminal.result(lines.join('\n'));
  else terminal.result(nothing(folder, selection));
  const elsewhere = isProjectFolder(folder, await config()) ? null : folder.path;
  for (const hint of hints(listed, wanted.length, elsewhere)) terminal.message(`stepfork: ${displayText(hint)}`);
  return EXIT.same;
}

/** Shown as everything else of a bundle: redacted by today's rules. */
function listedRuns(folder: TraceFolder, runs: readonly Run[], rules: RedactOptions | null): readonly ListedRun[] {
  const redactor = createRedactor(rules ?? {});
  // Text by text: a rule about keys is about the agent's data, such as its tags.
  const redacted = <T>(value: T): T => redactor.redact(value as Json).value as T;
  const short = shortIds(folder.runs.map(({ run_id }) => run_id));
  const isKept = keptRuns(folder.path);
  return runs.map((run) => {
    const { failure } = run;
    const shown = {
      agent_name: redacted(run.agent_name),
      failure:
        failure === null ? null : { ...failure, type: redacted(failure.type), message: redacted(failure.message) },
      tags: redacted(run.tags),
    };
    return { ...run, ...shown, short_id: short.get(run.run_id) ?? run.run_id, kept: isKept(run.run_id) };
  });
}

function nothing(folder: TraceFolder, selection: Selection): string {
  const { path, runs } = folder;
  const { agent } = selection;
  const where = displayText(path);
  if (runs.length === 0) {
    const elsewhere = tracesBelow(path) ?? (path === TRACES ? tracesElsewhere() : null);
    const hint = elsewhere === null ? '' : `; there are some in ${displayText(elsewhere)}`;
    return `there are no runs in ${where}${hint}`;
  }
  if (agent !== undefined && runs.every(({ agent_name }) => agent_name !== agent)) {
    return displayText(noRunOf(agent, folder));
  }
  if (!isSelective(selection)) return `there are no runs in ${where}`;
  return runs.length === 1
    ? `the run in ${where} is not of that kind`
    : `none of the ${runs.length} runs in ${where} is of that kind`;
}

/** @param elsewhere the folder where it is not the one in which ids are looked up */
function hints(listed: readonly ListedRun[], wanted: number, elsewhere: string | null): readonly string[] {
  const unfinished = listed.filter((run) => run.unfinished);
  const [first] = unfinished;
  const [newest] = listed;
  const more = wanted - listed.length;
  const are = unfinished.length === 1 ? '1 run is' : `${unfinished.length} runs are`;
  return [
    ...(more > 0 ? [`${more === 1 ? '1 more is' : `${more} more are`} not shown; --limit shows more of them`] : []),
    ...(first === undefined
      ? []
      : [`${are} unfinished: recorded still, or killed. If its process is gone, run: stepfork recover ${first.path}`]),
    ...(elsewhere === null || newest === undefined
      ? []
      : [`a run of this folder is named ${shellArgument(`${elsewhere.replace(/[\\/]+$/, '')}/${newest.short_id}`)}`]),
  ];
}

function documentOf({ path, unreadable }: TraceFolder, total: number, listed: readonly ListedRun[]): string {
  return jsonDocument({
    schema: 'stepfork.list/1',
    folder: path,
    total,
    runs: listed.map((run) => ({
      bundle: run.path,
      run_id: run.run_id,
      short_id: run.short_id,
      agent_name: run.agent_name,
      status: run.status,
      failure: run.failure,
      created_at: run.created_at,
      duration_ms: run.duration_ms,
      cost_usd: run.cost_usd,
      events: run.events,
      tool_calls: run.calls.tool,
      llm_calls: run.calls.llm,
      size_bytes: run.size,
      tags: run.tags,
      kept: run.kept,
      packed: run.packed,
      unfinished: run.unfinished,
    })),
    unreadable: unreadable.map(({ path: bundle, reason }) => ({ bundle, message: reason })),
  });
}
