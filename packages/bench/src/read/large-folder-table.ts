import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { record, traceTool } from '@stepfork/recorder';
import { newRunId } from '@stepfork/trace-format/write';
import type { Effort, Table } from '../bench.js';
import { flights } from '../data/flights.js';
import { folderOf } from '../measure/closure.js';
import { inFolder } from '../measure/folder.js';
import { measureProcesses, runNode } from '../measure/processes.js';

const PARSE = 'floor: read and JSON.parse every manifest.json';
/** The least that a list takes: no sizes of files, no tags, no order, nothing shown but a count. */
const FLOOR = `
  const { readdirSync, readFileSync } = require('node:fs');
  const [folder] = process.argv.slice(1);
  let completed = 0;
  for (const name of readdirSync(folder)) {
    if (JSON.parse(readFileSync(folder + '/' + name + '/manifest.json', 'utf8')).status === 'completed') completed++;
  }
  console.log(completed);`;
const HERE = dirname(fileURLToPath(import.meta.url));

/** How long it takes to list a folder as a team fills it in a week, and in full also as it does in a season. */
export function largeFolderTables(effort: Effort): Promise<readonly Table[]> {
  return inFolder(async (folder) => {
    if (effort === 'brief') return [await tableOf(folder, 0, 20, 1)];
    return [await tableOf(folder, 0, 1_000, 7), await tableOf(folder, 1_000, 10_000, 2)];
  });
}

async function tableOf(folder: string, filled: number, bundles: number, rounds: number): Promise<Table> {
  await fill(folder, filled, bundles);
  const bin = join(folderOf('@stepfork/cli', HERE), 'bin', 'stepfork.js');
  checkCounts(bundles, [bin, 'list', folder, '--json'], ['-e', FLOOR, folder]);
  return {
    title: `A folder of ${bundles.toLocaleString('en')} bundles`,
    unit: 'ms for the whole process',
    reference: PARSE,
    method:
      'Whole processes in turn, their start included. A list also looks at the size of each bundle and the tags of its run, redacts what it shows, and sorts.',
    rows: measureProcesses(
      [
        { name: PARSE, args: ['-e', FLOOR, folder] },
        { name: 'stepfork list', args: [bin, 'list', folder] },
        { name: 'stepfork list --json', args: [bin, 'list', folder, '--json'] },
        { name: 'stepfork list --limit 20', args: [bin, 'list', folder, '--limit', '20'] },
      ],
      rounds,
      PARSE,
    ),
  };
}

/** A recorded run of one call, again and again under another id: whether it is intact is no concern of a list. */
async function fill(folder: string, from: number, to: number): Promise<void> {
  const { runId, files } = await recordedRun();
  for (let n = from; n < to; n++) {
    const bundle = join(folder, `run-${n}.sftrace`);
    mkdirSync(bundle);
    const id = newRunId();
    for (const { name, text } of files) writeFileSync(join(bundle, name), text.replaceAll(runId, id));
  }
}

function recordedRun(): Promise<{ runId: string; files: readonly { name: string; text: string }[] }> {
  const search = traceTool('search_flights', async () => flights(1_000));
  return inFolder(async (folder) => {
    const output = join(folder, 'run.sftrace');
    const runId = await record('bench', { output, tags: { release: '1.4' } }, async (session) => {
      await search();
      return session.runId;
    });
    const files = readdirSync(output).map((name) => ({ name, text: readFileSync(join(output, name), 'utf8') }));
    return { runId, files };
  });
}

/** Both sides see every bundle. */
function checkCounts(bundles: number, list: readonly string[], floor: readonly string[]): void {
  const { total } = JSON.parse(runNode(list)) as { readonly total: number };
  const parsed = Number(runNode(floor));
  if (total !== bundles || parsed !== bundles) {
    throw new Error(`of ${bundles} bundles ${total} were listed and ${parsed} parsed`);
  }
}
