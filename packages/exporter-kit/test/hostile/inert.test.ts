import type { RegressionCase } from '@stepfork/exporter-kit';
import { renderTest } from '@stepfork/exporter-kit';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { runs } from '../json-arbitrary.js';
import { NOTIFY_CASE } from '../regression-case.js';
import { evaluated } from './evaluated.js';
import { builtCase, hostileCase } from './hostile-case.js';

/** The same cases every time. */
const tried = { seed: 20_260_131, numRuns: runs(2_000) };

const dialect = {
  exporter: 'mine',
  packageName: '@acme/exporter-mine',
  framework: 'mine',
  functions: ['beforeAll', 'describe', 'expect', 'test'],
};

interface Parsed extends ts.SourceFile {
  readonly parseDiagnostics: readonly ts.Diagnostic[];
  readonly checkJsDirective?: unknown;
}

function parse(text: string, typescript: boolean): Parsed {
  const kind = typescript ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  return ts.createSourceFile(typescript ? 'a.ts' : 'a.js', text, ts.ScriptTarget.Latest, true, kind) as Parsed;
}

const CONSTANT = /^(?:expected|recorded|trajectory)$/;

/** The program with every string replaced by its role: two tests that do the same have the same skeleton. */
function skeleton(node: ts.Node, strings: string[]): string {
  if (ts.isVariableDeclaration(node) && CONSTANT.test(node.name.getText())) return 'a constant';
  if (ts.isStringLiteral(node)) {
    strings.push(node.text);
    return 'a string';
  }
  const parts: string[] = [];
  node.forEachChild((child) => {
    parts.push(skeleton(child, strings));
  });
  const name = ts.isIdentifier(node) ? node.text : '';
  return `${ts.SyntaxKind[node.kind]}${name}(${parts.join()})`;
}

const DATA = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.BigIntLiteral,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.PrefixUnaryExpression,
  ts.SyntaxKind.ComputedPropertyName,
]);

/** Whether an initializer is made of literals alone. */
function isData(node: ts.Node): boolean {
  const isKey = ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  if (!isKey && !DATA.has(node.kind)) return false;
  let data = true;
  node.forEachChild((child) => {
    data = data && isData(child);
  });
  return data;
}

function constants(file: ts.SourceFile): readonly ts.Expression[] {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations])
    .filter((declaration) => CONSTANT.test(declaration.name.getText()))
    .flatMap((declaration) => (declaration.initializer === undefined ? [] : [declaration.initializer]));
}

/** What a test may call: its framework, the replay and the matchers. */
const KNOWN = new Set([
  ...['beforeAll', 'describe', 'expect', 'replayCase', 'test'],
  ...['toHaveReplayed', 'toHaveOutput', 'toMatchOutput', 'toHaveThrown', 'toHaveTrajectory'],
]);

describe('a rendered test', { timeout: 600_000 }, () => {
  test('B255 is the same program whatever the bundle, the paths and the title say', () => {
    fc.assert(
      fc.property(hostileCase, (hostile) => {
        const { typescript } = hostile.target;
        const file = parse(renderTest(hostile, dialect), typescript);
        expect(file.parseDiagnostics).toEqual([]);
        for (const constant of constants(file)) expect(isData(constant)).toBe(true);

        const plain: RegressionCase = {
          ...NOTIFY_CASE,
          target: hostile.target,
          entrypoint: { ...NOTIFY_CASE.entrypoint, exportName: hostile.entrypoint.exportName },
          recordedEnd: hostile.recordedEnd,
          recordedFailure: hostile.recordedFailure && { type: 'Error', message: 'm' },
        };
        const { expected, ...unstated } = plain;
        const stated: RegressionCase = {
          ...unstated,
          trace: { path: '.', ...('digest' in hostile.trace ? { digest: 'd' } : {}) },
          ...('expected' in hostile ? { expected } : {}),
          ...('match' in hostile ? { match: expected } : {}),
          ...('error' in hostile ? { error: { type: 'Error', message: 'm' } } : {}),
          ...('trajectory' in hostile ? { trajectory: {} } : {}),
          ...('options' in hostile ? { options: hostile.options } : {}),
        };
        const same = parse(renderTest(stated, dialect), typescript);
        const strings: string[] = [];
        expect(skeleton(file, strings)).toBe(skeleton(same, []));

        expect(strings).toContain(hostile.title);
        expect(strings).toContain(hostile.trace.path);
        expect(strings).toContain(hostile.entrypoint.specifier);
      }),
      tried,
    );
  });

  test('B255 carries no word that a compiler, a runner or a source-map reader obeys', () => {
    fc.assert(
      fc.property(hostileCase, (hostile) => {
        const text = renderTest(hostile, dialect);
        const file = parse(text, hostile.target.typescript);
        expect(file.checkJsDirective).toBeUndefined();
        expect(file.referencedFiles).toEqual([]);
        // As vitest 4 looks for them, anywhere in the file.
        expect(text).not.toMatch(/@(?:vitest|jest)-environment(?:-options)?\s/);
        expect(text).not.toMatch(/(\/\/|\*)\s*@module-tag\s/);
        expect(text).not.toMatch(/[#@]\s*source(?:Mapping)?URL\s*=/);
        // As jest's docblock reader looks for its pragmas.
        expect(text).toMatch(/^\/\/ Regression test of a recorded run/);
        expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
      tried,
    );
  });

  test('B255 parses, and runs nothing but the test, whatever the recording, the paths and the title say', () => {
    const plain = evaluated(renderTest(NOTIFY_CASE, dialect));
    expect(plain.calls).toEqual(
      [
        'beforeAll',
        'replayCase',
        'describe',
        'expect',
        'toHaveReplayed',
        'test',
        'expect',
        'toHaveOutput',
        'test',
      ].sort(),
    );
    fc.assert(
      fc.property(fc.oneof(hostileCase, builtCase), (hostile) => {
        const text = renderTest(hostile, dialect);
        expect(parse(text, hostile.target.typescript).parseDiagnostics).toEqual([]);
        const { calls, modules, title, globals, polluted } = evaluated(text);
        expect(new Set(calls)).toEqual(new Set([...calls].filter((name) => KNOWN.has(name))));
        expect(modules.sort()).toEqual(
          [
            hostile.entrypoint.specifier,
            dialect.packageName,
            `${dialect.packageName}/setup`,
            ...(hostile.target.globals ? [] : [dialect.framework]),
          ].sort(),
        );
        expect(title).toBe(hostile.title);
        expect({ globals, polluted }).toEqual({ globals: plain.globals, polluted: false });
      }),
      tried,
    );
  });
});
