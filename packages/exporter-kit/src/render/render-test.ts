import type { RegressionCase } from '../case.js';
import type { RenderedFile } from '../exporter.js';
import { assigned } from '../source/literal.js';
import { stringLiteral } from '../source/string-literal.js';
import { type DataFiles, dataFilesOf } from './data-file.js';
import type { Dialect } from './dialect.js';
import { renderHeader } from './header.js';
import { renderImports } from './imports.js';
import { isData, type Judgement, judgementsOf } from './judgement.js';
import { localName } from './names.js';
import { replayArgument } from './replay-argument.js';
import { callSource } from './statement.js';

/**
 * A test for a framework that has `describe`, `beforeAll`, `test` and `expect`: one replay, then a test each that the
 * agent made the recorded calls, that it came to the right end, and that it took the right steps. Where an expectation
 * is long it is a JSON file beside the test.
 */
export function renderFiles(regression: RegressionCase, dialect: Dialect): readonly RenderedFile[] {
  const judgements = judgementsOf(regression);
  const files = dataFilesOf(regression, judgements);
  const text = testText(regression, dialect, judgements, files);
  return [{ path: regression.fileName, text }, ...files.values()];
}

/** The same in one file, however long it becomes. */
export function renderTest(regression: RegressionCase, dialect: Dialect): string {
  return testText(regression, dialect, judgementsOf(regression), new Map());
}

function testText(
  regression: RegressionCase,
  dialect: Dialect,
  judgements: readonly Judgement[],
  files: DataFiles,
): string {
  const { target, title, timeoutMs } = regression;
  const agent = localName(regression.entrypoint.exportName, dialect.functions);
  return `${renderHeader(regression, dialect.exporter, files)}
${renderImports(regression, dialect, agent, files.size > 0)}
${judgements.map((judgement) => constant(judgement, target.typescript, files)).join('')}describe(${stringLiteral(title)}, () => {
  let run${target.typescript ? ': ReplayReport' : ''};

  beforeAll(async () => {
    run = await replayCase(${replayArgument(regression, agent, 4)});
  }, ${milliseconds(timeoutMs)});

${judgements.map((judgement) => testBlock(judgement, files)).join('\n')}});
`;
}

function constant({ args }: Judgement, typescript: boolean, files: DataFiles): string {
  if (!isData(args) || files.has(args.constant)) return '';
  const { constant: name, value } = args;
  // TypeScript cannot infer the type of a lone `[]`.
  const annotation = typescript && Array.isArray(value) && value.length === 0 ? ': unknown[]' : '';
  return `${assigned(`const ${name}${annotation} =`, value)};\n\n`;
}

function testBlock({ title, matcher, args }: Judgement, files: DataFiles): string {
  return `  test(${stringLiteral(title)}, () => {
    ${callSource(`expect(run).${matcher}`, isData(args) ? [reference(args.constant, files)] : args, 4, ';')}
  });
`;
}

function reference(name: string, files: DataFiles): string {
  const file = files.get(name);
  return file === undefined ? name : callSource('expectation', [stringLiteral(`./${file.path}`)], 6, ',').slice(0, -1);
}

/** 30000 as `30_000`. */
function milliseconds(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, '_');
}
