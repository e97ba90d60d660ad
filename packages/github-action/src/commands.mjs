import { randomUUID } from 'node:crypto';
import { visible } from './text.mjs';

/** GitHub takes a line of the log that begins with `::` for a command to the job. */
const onGitHub = process.env.GITHUB_ACTIONS === 'true';

/**
 * Does what prints text from outside, with commands switched off.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withoutCommands(work) {
  if (!onGitHub) return work();
  const token = randomUUID();
  process.stdout.write(`::stop-commands::${token}\n`);
  try {
    return await work();
  } finally {
    process.stdout.write(`\n::${token}::\n`);
  }
}

/**
 * One line that says what is wrong with a file; on GitHub it is shown beside the file.
 *
 * @param {string} file
 * @param {string} text
 */
export function annotation(file, text) {
  const line = visible(text.split('\n', 1)[0]);
  if (!onGitHub) return `${visible(file)}: ${line}`;
  return `::error file=${property(file)},title=Stepfork::${data(line)}`;
}

const data = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
