import type { RegressionCase } from '@stepfork/exporter-kit';
import { renderTest } from '@stepfork/exporter-kit';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { anyJson, anyText, runs } from '../json-arbitrary.js';
import { NOTIFY_CASE } from '../regression-case.js';

const dialect = {
  exporter: 'mine',
  packageName: '@acme/exporter-mine',
  framework: 'mine',
  functions: ['beforeAll', 'describe', 'expect', 'test'],
};

const target = fc.record({
  module: fc.constantFrom('esm' as const, 'cjs' as const),
  typescript: fc.boolean(),
  globals: fc.boolean(),
});

/** A case with hostile text wherever a bundle, a file name or a user can put some. */
const hostileCase: fc.Arbitrary<RegressionCase> = fc
  .record({
    title: anyText,
    agentName: anyText,
    runId: anyText,
    createdAt: anyText,
    problem: anyText,
    fileName: anyText,
    target,
    specifier: anyText,
    file: anyText,
    exportName: fc.constantFrom('notifyAgent', 'default', 'test', 'delete', '__proto__', 'läuft'),
    path: anyText,
    digest: fc.option(anyText, { nil: undefined }),
    expectation: fc.oneof(
      fc.constant({}),
      anyJson.map((expected) => ({ expected })),
      anyJson.map((match) => ({ match })),
      fc.record({ type: anyText, message: anyText }).map((error) => ({ error })),
    ),
    trajectory: fc.option(
      fc.record({
        called: fc.array(anyText),
        counts: fc.dictionary(anyText, fc.nat()),
        arguments: fc.array(fc.record({ name: anyText, value: anyJson })),
      }),
      { nil: undefined },
    ),
    recordedOutput: anyJson,
    failure: fc.option(fc.record({ type: anyText, message: anyText }), { nil: null }),
    calls: fc.array(fc.record({ kind: fc.constantFrom('tool' as const, 'llm' as const), name: anyText }), {
      maxLength: 3,
    }),
  })
  .map(({ specifier, file, exportName, path, digest, expectation, trajectory, failure, calls, ...texts }) => ({
    ...texts,
    entrypoint: { specifier, exportName, file },
    trace: { path, ...(digest === undefined ? {} : { digest }) },
    ...expectation,
    ...(trajectory === undefined ? {} : { trajectory }),
    recordedEnd: failure === null ? ('returned' as const) : ('failed' as const),
    recordedFailure: failure,
    recordedCalls: calls,
    timeoutMs: 30_000,
  }));

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

describe('a rendered test', () => {
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
        };
        const same = parse(renderTest(stated, dialect), typescript);
        const strings: string[] = [];
        expect(skeleton(file, strings)).toBe(skeleton(same, []));

        expect(strings).toContain(hostile.title);
        expect(strings).toContain(hostile.trace.path);
        expect(strings).toContain(hostile.entrypoint.specifier);
      }),
      { numRuns: runs(2_000) },
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
      { numRuns: runs(2_000) },
    );
  });
});
