import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What the agent of a failing test does now, beside what it did when it was recorded: it is replayed once more, this time
 * into a bundle.
 *
 * @param stepfork the project's command
 * @param {{ bundle: string, entrypoint: string | null, flags: readonly string[] }} test
 * @returns {Promise<{ kind: 'same' | 'different' | 'unknown', text: string } | undefined>} undefined where the test does
 * not say how
 */
export async function compareRuns(stepfork, { bundle, entrypoint, flags }) {
  if (entrypoint === null) return undefined;
  const temporary = mkdtempSync(join(tmpdir(), 'stepfork-action-'));
  try {
    const now = join(temporary, 'now.sftrace');
    const replayed = await stepfork(['replay', bundle, '--entrypoint', entrypoint, '--record', now, ...flags]);
    if (!isVerdict(replayed)) return unknown(replayed);
    const compared = await stepfork(['diff', bundle, now, ...flags.filter((flag) => flag.startsWith('--ignore='))]);
    if (!isVerdict(compared)) return unknown(compared);
    // The command's text and not its JSON, which has integers that a JavaScript number cannot hold.
    return { kind: compared.exit === 0 ? 'same' : 'different', text: compared.stdout.trim() };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The same, or not the same: anything else went wrong. */
const isVerdict = ({ exit, stdout }) => exit === 0 || (exit === 1 && stdout !== '');

const unknown = ({ exit, stderr }) => ({ kind: 'unknown', text: stderr.trim() || `stepfork ended with ${exit}` });
