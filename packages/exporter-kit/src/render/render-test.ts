import type { PlacesByCall } from '@stepfork/replay';
import type { Json } from '@stepfork/trace-format';
import type { RegressionCase } from '../case.js';
import { isUndefined } from '../comparable.js';
import { assigned } from '../source/literal.js';
import { stringLiteral } from '../source/string-literal.js';
import type { Dialect } from './dialect.js';
import { renderHeader } from './header.js';
import { renderImports } from './imports.js';
import { localName } from './names.js';

/**
 * The text of a test for a framework that has `describe`, `beforeAll`, `test` and `expect`: one replay, then one test
 * that the agent made the recorded calls and one that it came to the right end.
 */
export function renderTest(regression: RegressionCase, dialect: Dialect): string {
  const { target, title, trace, timeoutMs } = regression;
  const input = regression.input === undefined ? '' : `      ${assigned('input:', regression.input, 6)},\n`;
  const ignore = regression.ignore === undefined ? '' : `      ${assigned('ignore:', toJson(regression.ignore), 6)},\n`;
  const agent = localName(regression.entrypoint.exportName, dialect.functions);
  const ending = endingOf(regression);
  return `${renderHeader(regression, dialect.exporter)}
${renderImports(regression, dialect, agent)}
${ending.declaration}describe(${stringLiteral(title)}, () => {
  let run${target.typescript ? ': ReplayReport' : ''};

  beforeAll(async () => {
    run = await replayCase({
      ${assigned('trace:', trace.path, 6)},
      entrypoint: ${agent},
${input}${ignore}    });
  }, ${milliseconds(timeoutMs)});

  test('makes the recorded calls', () => {
    expect(run).toHaveReplayed();
  });
${ending.test}});
`;
}

function toJson(places: PlacesByCall): Json {
  return Object.fromEntries(Object.entries(places).map(([call, pointers]) => [call, [...pointers]]));
}

/** What the second test holds the run's end to, and the constant it needs. */
interface Ending {
  readonly declaration: string;
  readonly test: string;
}

function endingOf(regression: RegressionCase): Ending {
  const { expected, recordedEnd, recordedFailure, recordedOutput } = regression;
  if (expected !== undefined) return outputTest('returns the corrected output', 'expected', expected, regression);
  if (recordedFailure !== null) {
    const name = stringLiteral(recordedFailure.type);
    return { declaration: '', test: testBlock('fails as it was recorded', `expect(run.error?.name).toBe(${name});`) };
  }
  if (recordedEnd === 'unknown') return { declaration: '', test: '' };
  return outputTest('returns the recorded output', 'recorded', recordedOutput, regression);
}

function outputTest(name: string, constant: string, value: Json, { target }: RegressionCase): Ending {
  if (isUndefined(value)) return { declaration: '', test: testBlock(name, 'expect(run).toHaveOutput(undefined);') };
  // TypeScript cannot infer the type of a lone `[]`.
  const annotation = target.typescript && Array.isArray(value) && value.length === 0 ? ': unknown[]' : '';
  return {
    declaration: `${assigned(`const ${constant}${annotation} =`, value)};\n\n`,
    test: testBlock(name, `expect(run).toHaveOutput(${constant});`),
  };
}

function testBlock(name: string, statement: string): string {
  return `
  test(${stringLiteral(name)}, () => {
    ${statement}
  });
`;
}

/** 30000 as `30_000`. */
function milliseconds(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, '_');
}
