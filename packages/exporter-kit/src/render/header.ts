import { canonicalJson, type JsonObject } from '@stepfork/trace-format';
import type { CaseOptions, RegressionCase } from '../case.js';
import { expectedEnd } from '../expected-end.js';
import { commentText, lineCommentText } from '../source/comment.js';
import { isBesideTest } from '../trace-place.js';
import type { DataFiles } from './data-file.js';

/** Recorded calls that a header names before it only counts. */
const NAMED_CALLS = 8;

/**
 * The comment that opens a generated test: what went wrong, in which run, and how to write the file anew. Line
 * comments throughout: jest reads pragmas out of a leading block comment.
 *
 * @param exporter as given to `--to`
 * @param files what of the expectation lies in files beside the test
 */
export function renderHeader(regression: RegressionCase, exporter: string, files: DataFiles = new Map()): string {
  const { agentName, problem, runId, createdAt, trace } = regression;
  const lines = [
    `Regression test of a recorded run of "${commentText(agentName)}", written by Stepfork.`,
    '',
    `What went wrong: ${commentText(problem)}`,
    `Recording: ${commentText(trace.path)} (${commentText(runId)}, ${commentText(createdAt)})`,
    `Recorded calls: ${calls(regression)}`,
    'Write it anew, in this folder:',
    ...exportCommand(regression, exporter, files).map((line) => `  ${line}`),
    '',
    'The agent runs as it is now; the recording answers its calls.',
  ];
  return lines.map((line) => (line === '' ? '//\n' : `// ${line}\n`)).join('');
}

function calls({ recordedCalls }: RegressionCase): string {
  if (recordedCalls.length === 0) return 'none';
  const named = recordedCalls.slice(0, NAMED_CALLS).map(({ kind, name }) => `${kind} ${commentText(name)}`);
  const more = recordedCalls.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function exportCommand(regression: RegressionCase, exporter: string, files: DataFiles): string[] {
  const { trace, entrypoint, input, options = {}, exporterOptions = {}, fileName } = regression;
  const from = `${entrypoint.file}:${entrypoint.exportName}`;
  const given = input === undefined ? '' : '--input <input.json> ';
  const replaying = [...ownFlags(exporterOptions), ...optionFlags(options)].map((flag) => `${flag} `).join('');
  const expectation = expectationFlags(regression, files)
    .map((flag) => `${flag} `)
    .join('');
  // What lies beside the test is what a copy would be; anything else has to be left where it is.
  const linked = isBesideTest(trace.path, fileName) ? '' : '--no-copy ';
  return [
    `stepfork export ${argument(trace.path)} --to ${argument(exporter)} --entrypoint ${argument(from)} \\`,
    `  ${given}${replaying}${expectation}${linked}--output ${argument(fileName)} --overwrite`,
  ];
}

/** The exporter's own options. */
function ownFlags(given: JsonObject): readonly string[] {
  return Object.entries(given).map(([name, value]) => `--option ${argument(`${name}=${canonicalJson(value)}`)}`);
}

/** The flags of `export` that these options are from; what the project's configuration adds it adds again. */
function optionFlags({ mode, liveLlms, allowLiveTools, order, ignore = {}, allow, now, skipSleeps }: CaseOptions) {
  const each = (flag: string, values: readonly string[] = []): string[] =>
    values.map((value) => `${flag} ${argument(value)}`);
  const ignored = Object.entries(ignore).flatMap(([call, pointers]) => pointers.map((pointer) => `${call}=${pointer}`));
  return [
    ...each('--mode', mode === undefined ? [] : [mode]),
    ...each('--live-llm', liveLlms),
    ...each('--allow-live-tool', allowLiveTools),
    ...each('--order', order === undefined ? [] : [order]),
    ...each('--ignore', ignored),
    ...each('--allow', allow),
    ...each('--now', now === undefined ? [] : [now]),
    ...(skipSleeps === true ? ['--skip-sleeps'] : []),
  ];
}

function expectationFlags(regression: RegressionCase, files: DataFiles): string[] {
  const { trajectory, same } = regression;
  const fileOf = (name: string): string => {
    const file = files.get(name);
    return file === undefined ? `<${name}.json>` : argument(`./${file.path}`);
  };
  const flags = trajectory === undefined ? [] : [`--expect-trajectory ${fileOf('trajectory')}`];
  const agreed = same === true ? ['--expect-same'] : [];
  const end = expectedEnd(regression);
  switch (end.kind) {
    case 'output':
      return [`--expect-output ${fileOf('expected')}`, ...agreed, ...flags];
    case 'match':
      return [`--expect-match ${fileOf('expected')}`, ...agreed, ...flags];
    case 'error': {
      const { type, message } = end.error;
      return [`--expect-error ${argument(message === undefined ? type : `${type}:${message}`)}`, ...flags];
    }
    default:
      return [...agreed, ...flags];
  }
}

/** One argument as a POSIX shell takes it. The header's comments end with their lines, so what is in it may stay. */
function argument(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return lineCommentText(text);
  return lineCommentText(`'${text.replaceAll("'", "'\\''")}'`);
}
