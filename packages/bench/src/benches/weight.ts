import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Bench, Effort, Table } from '../bench.js';
import { type Closure, closureOf, folderOf } from '../measure/closure.js';
import { measureProcesses, type ProcessCase } from '../measure/processes.js';

const EMPTY = 'an empty module';
const NODE = 'node -e 0';
const HERE = dirname(dirname(fileURLToPath(import.meta.url)));

export const weight: Bench = {
  name: 'weight',
  question: 'What does the recorder weigh, and how long does the command take to start?',
  run: async (effort) => [importTable(effort), commandTable(effort)],
};

function importTable(effort: Effort): Table {
  const cases = [
    { name: EMPTY, source: 'export {}' },
    weighed('@stepfork/recorder', 'index.js'),
    weighed('pino', null),
    weighed('langsmith', null, 'langsmith/traceable'),
    weighed('@opentelemetry/sdk-trace-base', null),
  ].map(({ name, source, ...rest }) => ({
    name,
    args: ['--input-type=module', '-e', source],
    ...('closure' in rest && rest.closure !== undefined ? { note: described(rest.closure) } : {}),
  }));
  return {
    title: 'Importing it',
    unit: 'ms for the whole process',
    reference: EMPTY,
    method:
      'Whole processes in turn. Installed size and number of packages are those of the package and all that it depends on.',
    rows: measureProcesses(cases, effort === 'full' ? 21 : 1, EMPTY),
  };
}

function weighed(
  name: string,
  file: string | null,
  specifier = name,
): { name: string; source: string; closure: Closure } {
  const folder = folderOf(name, HERE);
  // By its path, since a script on the command line has no folder to look from.
  const target = file === null ? import.meta.resolve(specifier) : pathToFileURL(join(folder, 'dist', file)).href;
  return { name, source: `import ${JSON.stringify(target)}`, closure: closureOf(folder) };
}

function described({ packages, bytes }: Closure): string {
  return `${(bytes / 1e6).toFixed(2)} MB in ${packages} ${packages === 1 ? 'package' : 'packages'}`;
}

function commandTable(effort: Effort): Table {
  const bin = join(folderOf('@stepfork/cli', HERE), 'bin', 'stepfork.js');
  const cases: readonly ProcessCase[] = [
    { name: NODE, args: ['-e', '0'] },
    { name: 'stepfork --version', args: [bin, '--version'] },
    { name: 'stepfork --help', args: [bin, '--help'] },
  ];
  return {
    title: 'Starting the command',
    unit: 'ms for the whole process',
    reference: NODE,
    method: 'Whole processes in turn.',
    rows: measureProcesses(cases, effort === 'full' ? 21 : 1, NODE),
  };
}
