import { closeSync, openSync, readSync } from 'node:fs';
import { join, posix } from 'node:path';
import { walk } from './walk.mjs';

/** The header of an exported test is shorter. */
const HEADER = 8_192;
const OPENING = /^\/\/ Regression test of a recorded run of ".*", written by Stepfork\.$/;
const COMMAND = '// Write it anew, in this folder:';

/** What `export` was given that says how the agent is run; `replay` takes the same. */
const FLAGS = new Set(['--mode', '--order', '--ignore', '--allow', '--now']);
/** In which nothing of the world is asked. */
const CLOSED = new Set(['frozen', 'forbidden']);

/**
 * The tests that were exported from these bundles: an exported test says in its header how it was written.
 *
 * @param {string} folder the project's
 * @param {readonly string[]} bundles
 * @returns {{ path: string, bundle: string, exporter: string, entrypoint: string | null, flags: string[] }[]} `entrypoint`
 * is null where the header does not say all that a replay needs, or where the test is not frozen
 */
export function findExportedTests(folder, bundles) {
  const known = new Set(bundles);
  return [...walk(folder)]
    .filter(({ path, isFile }) => isFile && /\.[cm]?[jt]sx?$/.test(path))
    .map(({ path }) => ({ path, words: exportCommand(startOf(join(folder, path))) }))
    .filter(({ words }) => words !== null)
    .map(({ path, words }) => ({ path, ...statedBy(words, posix.dirname(path)) }))
    .filter(({ bundle }) => known.has(bundle));
}

function startOf(file) {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEADER);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, HEADER, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** The words of the command in a header, without quotes; null for a file that has none. */
function exportCommand(text) {
  const lines = text.split(/\r?\n/);
  const at = lines.indexOf(COMMAND);
  if (!OPENING.test(lines[0] ?? '') || at === -1) return null;
  const command = lines
    .slice(at + 1, at + 3)
    .map((line) => line.replace(/^\/\/ {3}/, '').replace(/ \\$/, ''))
    .join(' ');
  const words = command.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|\\(.)/g, '$1$2'));
}

/** Paths in a header are from the test's folder. */
function statedBy([, , trace = '', ...rest], folder) {
  const from = (path) => posix.normalize(posix.join(folder, path));
  let [exporter, entrypoint] = ['', null];
  let replayable = true;
  const flags = [];
  for (const [index, word] of rest.entries()) {
    const value = rest[index + 1] ?? '';
    if (word === '--to') exporter = value;
    else if (word === '--entrypoint') entrypoint = from(value);
    else if (word === '--skip-sleeps') flags.push(word);
    else if (FLAGS.has(word)) flags.push(`${word}=${value}`);
    // Another input than the recorded one stands in the test alone, and nothing is run live twice.
    if (word === '--input' || (word === '--mode' && !CLOSED.has(value))) replayable = false;
  }
  return { bundle: from(trace), exporter, entrypoint: replayable ? entrypoint : null, flags };
}
