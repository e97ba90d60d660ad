import type { RegressionCase } from '../case.js';
import { commentText } from '../source/comment.js';

/** Recorded calls that a header names before it only counts. */
const NAMED_CALLS = 8;

/**
 * The comment that opens a generated test: what went wrong, in which run, and how to write the file anew. Line
 * comments throughout: jest reads pragmas out of a leading block comment.
 *
 * @param exporter as given to `--to`
 */
export function renderHeader(regression: RegressionCase, exporter: string): string {
  const { agentName, problem, runId, createdAt, trace } = regression;
  const lines = [
    `Regression test of a recorded run of "${commentText(agentName)}", written by Stepfork.`,
    '',
    `What went wrong: ${commentText(problem)}`,
    `Recording: ${commentText(trace.path)} (${commentText(runId)}, ${commentText(createdAt)})`,
    `Recorded calls: ${calls(regression)}`,
    'Write it anew, in this folder:',
    ...exportCommand(regression, exporter).map((line) => `  ${line}`),
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

function exportCommand(regression: RegressionCase, exporter: string): string[] {
  const { trace, entrypoint, input, ignore = {}, expected, fileName } = regression;
  const from = `${entrypoint.file}:${entrypoint.exportName}`;
  const given = input === undefined ? '' : '--input <input.json> ';
  const ignored = Object.entries(ignore)
    .flatMap(([call, pointers]) => pointers.map((pointer) => `--ignore ${argument(`${call}=${pointer}`)} `))
    .join('');
  const expectation = expected === undefined ? '' : '--expect-output <expected.json> ';
  return [
    `stepfork export ${argument(trace.path)} --to ${argument(exporter)} --entrypoint ${argument(from)} \\`,
    `  ${given}${ignored}${expectation}--output ${argument(fileName)} --overwrite`,
  ];
}

/** One argument as a POSIX shell takes it, and without what ends a comment. */
function argument(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return commentText(text);
  const quoted = text.replaceAll("'", "'\\''").replaceAll('*/', "*''/");
  return commentText(`'${quoted}'`);
}
