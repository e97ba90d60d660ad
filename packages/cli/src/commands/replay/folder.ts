import { displayText, StepforkError } from '@stepfork/trace-format/write';
import { needsEntrypoint } from '../../config/choose-entrypoint.js';
import type { ProjectConfig } from '../../config/project-config.js';
import { findEntrypoint } from '../../entrypoint.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { folded } from '../../fold.js';
import { jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { tracesBelow } from '../../traces/elsewhere.js';
import { readTraceFolder } from '../../traces/folder.js';
import type { Run } from '../../traces/glance.js';
import { shortIds } from '../../traces/short-id.js';
import { createProgress } from './progress.js';
import { whoseRuns } from './whose-runs.js';
import { type Replayed, replayEach } from './workers.js';

/** What of the command line is about the folder as a whole. */
export interface FolderReplay {
  readonly folder: string;
  /** Unless given, each run's is the one that the project names for its agent. */
  readonly entrypoint: string | undefined;
  /** The flags that hold for each bundle, as they were given. */
  readonly flags: readonly string[];
  /** Only this agent's runs. */
  readonly agent: string | undefined;
  /** Milliseconds that each run may take. */
  readonly timeout: number | null;
  readonly record: string | undefined;
  readonly json: boolean;
}

/** Replays every finished run of a folder, several at a time, each in processes of its own. */
export async function replayFolder(given: FolderReplay, terminal: Terminal, project: ProjectConfig): Promise<ExitCode> {
  if (given.record !== undefined) {
    throw new StepforkError('usage', '--record is for one bundle, not for a folder of them');
  }
  const entrypoint = given.entrypoint === undefined ? null : findEntrypoint(given.entrypoint).text;
  if (entrypoint === null && project.settings.entrypoints === undefined) throw needsEntrypoint('replay');
  const { path, runs, unreadable } = readTraceFolder(given.folder);
  if (runs.length + unreadable.length === 0) throw nothingIn(path);
  const finished = runs.filter((run) => !run.unfinished);
  if (finished.length + unreadable.length === 0) throw noneFinished(path, runs.length);
  const { own, others } = whoseRuns(finished, { folder: path, agent: given.agent, entrypoint }, project);
  const short = shortIds(runs.map(({ run_id }) => run_id));
  const show = (result: Replayed): void => {
    const { run, verdict, message } = result;
    const line = `${verdict.padEnd(18)} ${short.get(run.run_id) ?? run.run_id}  ${run.agent_name}${message === null ? '' : `  ${message}`}`;
    const shown = folded(displayText(line), terminal.columns);
    terminal.result(terminal.paint(result.exitCode === EXIT.same ? 'green' : 'red', shown));
  };
  const progress = createProgress(own.length);
  const results = await replayEach(own, { entrypoint, flags: given.flags, timeout: given.timeout }, (result) => {
    if (!given.json) progress.around(() => show(result));
    progress.done();
  });
  progress.end();
  const code = exitCodeOf(results.map(({ exitCode }) => exitCode));
  const worst = unreadable.length > 0 && code === EXIT.same ? EXIT.unusable : code;
  if (given.json) {
    const skipped = others.map(({ path: bundle, run_id, agent_name }) => ({ path: bundle, run_id, agent_name }));
    const document = { folder: path, entrypoint, results: results.map(toJson), skipped, unreadable };
    terminal.result(jsonDocument({ schema: 'stepfork.replay-folder/1', ...document }));
    return worst;
  }
  for (const { path: file, reason } of unreadable) {
    terminal.result(terminal.paint('red', displayText(`${'unreadable'.padEnd(18)} ${file}  ${reason}`)));
  }
  for (const line of linesOn(others)) terminal.result(terminal.paint('dim', line));
  terminal.result(
    summaryOf(results, {
      others: others.length,
      unfinished: runs.length - finished.length,
      unreadable: unreadable.length,
    }),
  );
  return worst;
}

function nothingIn(path: string): StepforkError {
  const below = tracesBelow(path);
  const next =
    below === null ? 'Record some first, or give the folder that they lie in.' : `There are some in ${below}.`;
  return new StepforkError('no_such_run', `there are no runs to replay in ${path}. ${next}`);
}

function noneFinished(path: string, count: number): StepforkError {
  const none = count === 1 ? 'the run' : `none of the ${count} runs`;
  const is = count === 1 ? 'is not finished' : 'is finished';
  return new StepforkError(
    'no_such_run',
    `${none} in ${path} ${is}. Wait for it or, if its process is gone, run 'stepfork recover' on it.`,
  );
}

/** A run that behaved differently says more than one that could not be read. */
function exitCodeOf(codes: readonly number[]): ExitCode {
  if (codes.includes(EXIT.different)) return EXIT.different;
  return codes.every((code) => code === EXIT.same) ? EXIT.same : EXIT.unusable;
}

function toJson({ run, exitCode, verdict, message, document }: Replayed) {
  return {
    path: run.path,
    run_id: run.run_id,
    agent_name: run.agent_name,
    exit_code: exitCode,
    verdict,
    message,
    document,
  };
}

/** Which agents' runs were left out. */
function linesOn(others: readonly Run[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { agent_name } of others) counts.set(agent_name, (counts.get(agent_name) ?? 0) + 1);
  return [...counts].map(([agent, count]) =>
    displayText(`${'left out'.padEnd(18)} ${count} ${count === 1 ? 'run' : 'runs'} of ${agent}`),
  );
}

interface LeftOut {
  readonly others: number;
  readonly unfinished: number;
  readonly unreadable: number;
}

function summaryOf(results: readonly Replayed[], { others, unfinished, unreadable }: LeftOut): string {
  const counts = new Map<string, number>();
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const parts = [...counts].map(([verdict, count]) => `${count} ${verdict}`);
  if (unreadable > 0) parts.push(`${unreadable} unreadable`);
  if (others > 0) parts.push(`${others} of other agents and left out`);
  if (unfinished > 0) parts.push(`${unfinished} unfinished and left out`);
  return `${results.length} replayed: ${parts.join(', ')}`;
}
