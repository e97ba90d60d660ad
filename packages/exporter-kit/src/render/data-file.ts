import type { RegressionCase } from '../case.js';
import type { RenderedFile } from '../exporter.js';
import { fileStem } from '../file-stem.js';
import { jsonSource } from '../source/json-source.js';
import { literal } from '../source/literal.js';
import { isData, type Judgement } from './judgement.js';

/** What a reviewer still reads in a test; longer data goes to a file of its own. */
const MOST_LINES = 40;
const MOST_CHARACTERS = 4_096;

/** The constant's name → the file that stands in its place. */
export type DataFiles = ReadonlyMap<string, RenderedFile>;

/** The files for what would make the test long: `notify-agent.expected.json`, `notify-agent.trajectory.json`. */
export function dataFilesOf({ fileName }: RegressionCase, judgements: readonly Judgement[]): DataFiles {
  const stem = fileStem(fileName);
  const files = new Map<string, RenderedFile>();
  for (const { args } of judgements) {
    if (!isData(args) || !isLong(literal(args.value))) continue;
    const kind = args.constant === 'trajectory' ? 'trajectory' : 'expected';
    files.set(args.constant, { path: `${stem}.${kind}.json`, text: jsonSource(args.value) });
  }
  return files;
}

function isLong(source: string): boolean {
  return source.length > MOST_CHARACTERS || source.split('\n', MOST_LINES + 1).length > MOST_LINES;
}
