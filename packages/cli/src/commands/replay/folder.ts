import { displayText, StepforkError } from '@stepfork/trace-format/write';
import { needsEntrypoint } from '../../config/choose-entrypoint.js';
import type { ProjectConfig } from '../../config/project-config.js';
import { findEntrypoint } from '../../entrypoint.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { readTraceFolder } from '../../traces/folder.js';
import { isRun } from '../../traces/glance.js';
import { shortIds } from '../../traces/short-id.js';
import { createProgress } from './progress.js';
import { type Replayed, replayEach } from './workers.js';

/** What of the command line is about the folder as a whole. */
export interface FolderReplay {
  readonly folder: string;
  /** Unless given, each run's is the one that the project names for its agent. */
  readonly entrypoint: string | undefined;
  /** The flags that hold for each bundle, as they were given. */
  readonly flags: readonly string[];
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
  const finished = runs.filter((run) => isRun(run) && !run.unfinished);
  const short = shortIds(runs.map(({ run_id }) => run_id));
  const show = (result: Replayed): void => {
    const { run, verdict, message } = result;
    const line = `${verdict.padEnd(18)} ${short.get(run.run_id) ?? run.run_id}  ${run.agent_name}${message === null ? '' : `  ${message}`}`;
    terminal.result(terminal.paint(result.exitCode === EXIT.same ? 'green' : 'red', displayText(line)));
  };
  const progress = createProgress(finished.length);
  const results = await replayEach(finished, { entrypoint, flags: given.flags }, (result) => {
    if (!given.json) progress.around(() => show(result));
    progress.done();
  });
  progress.end();
  const code = exitCodeOf(results.map(({ exitCode }) => exitCode));
  const worst = unreadable.length > 0 && code === EXIT.same ? EXIT.unusable : code;
  if (given.json) {
    const document = { folder: path, entrypoint, results: results.map(toJson), unreadable };
    terminal.result(jsonDocument({ schema: 'stepfork.replay-folder/1', ...document }));
    return worst;
  }
  for (const { path: file, reason } of unreadable) {
    terminal.result(terminal.paint('red', displayText(`${'unreadable'.padEnd(18)} ${file}  ${reason}`)));
  }
  terminal.result(summaryOf(results, runs.length - finished.length, unreadable.length));
  return worst;
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

function summaryOf(results: readonly Replayed[], unfinished: number, unreadable: number): string {
  if (results.length === 0 && unfinished + unreadable === 0) return 'there are no runs to replay';
  const counts = new Map<string, number>();
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const parts = [...counts].map(([verdict, count]) => `${count} ${verdict}`);
  if (unreadable > 0) parts.push(`${unreadable} unreadable`);
  if (unfinished > 0) parts.push(`${unfinished} unfinished and left out`);
  return `${results.length} replayed: ${parts.join(', ')}`;
}
