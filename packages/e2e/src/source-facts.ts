import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { publicPackages, ROOT } from './workspace.js';

/** What the laws need to know of one source file. */
export interface SourceFacts {
  /** `packages/recorder/src/boundary/slot.ts`. */
  readonly file: string;
  /** `@stepfork/recorder`. */
  readonly packageName: string;
  /** Path inside `src`, without the suffix: `boundary/slot`. */
  readonly room: string;
  readonly imports: readonly Import[];
  /** `instanceof`, `process.env`, `console.log`, `any`, …, each with its line. */
  readonly uses: readonly Use[];
  /** Codes given to `new StepforkError(code, …)`. */
  readonly errorCodes: readonly string[];
  readonly lines: number;
  readonly text: string;
}

export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
}

export interface Use {
  readonly what: string;
  readonly line: number;
}

/** The sources of the public packages, tests left out. */
export function publicSources(): readonly SourceFacts[] {
  return publicPackages().flatMap(({ folder, manifest }) =>
    filesBelow(join(ROOT, folder, 'src'))
      .filter((file) => /\.[cm]?ts$/.test(file) && !/\.test\.[cm]?ts$/.test(file))
      .map((file) => factsOf(file, folder, manifest.name)),
  );
}

export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function factsOf(path: string, folder: string, packageName: string): SourceFacts {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const imports: Import[] = [];
  const uses: Use[] = [];
  const errorCodes: string[] = [];
  const visit = (node: ts.Node): void => {
    const imported = importOf(node);
    if (imported !== null) imports.push(imported);
    const what = useOf(node);
    if (what !== null) uses.push({ what, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    errorCodes.push(...errorCodesOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return {
    file: relative(ROOT, path).split(sep).join('/'),
    packageName,
    room: relative(join(ROOT, folder, 'src'), path)
      .split(sep)
      .join('/')
      .replace(/\.[cm]?ts$/, ''),
    imports,
    uses,
    errorCodes,
    lines: text.split('\n').length - 1,
    text,
  };
}

function importOf(node: ts.Node): Import | null {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
    const typeOnly = ts.isImportDeclaration(node)
      ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword || allNamesAreTypes(node.importClause)
      : node.isTypeOnly;
    return { specifier: (node.moduleSpecifier as ts.StringLiteral).text, typeOnly, dynamic: false };
  }
  if (!ts.isCallExpression(node)) return null;
  const [argument] = node.arguments;
  const dynamic = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const required = ts.isIdentifier(node.expression) && node.expression.text === 'require';
  if (!(dynamic || required)) return null;
  const specifier = argument !== undefined && ts.isStringLiteralLike(argument) ? argument.text : '(computed)';
  return { specifier, typeOnly: false, dynamic: true };
}

function allNamesAreTypes(clause: ts.ImportClause | undefined): boolean {
  const names = clause?.namedBindings;
  return (
    clause?.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.length > 0 &&
    names.elements.every((element) => element.isTypeOnly)
  );
}

function useOf(node: ts.Node): string | null {
  if (node.kind === ts.SyntaxKind.InstanceOfKeyword) return 'instanceof';
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const { text: object } = node.expression;
    const { text: member } = node.name;
    if (object === 'console') return 'console';
    if (object === 'process' || object === 'Date' || object === 'Math' || object === 'performance') {
      return `${object}.${member}`;
    }
  }
  if (ts.isThrowStatement(node) && ts.isNewExpression(node.expression)) {
    const thrown = node.expression.expression.getText();
    if (!/^(StepforkError|InternalError)$/.test(thrown)) return `throw new ${thrown}`;
  }
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
    if (node.expression.text === 'Date' && (node.arguments ?? []).length === 0) return 'new Date()';
  }
  return null;
}

/** The first argument of `new StepforkError(…)`: a literal, or a conditional of two. */
function errorCodesOf(node: ts.Node): readonly string[] {
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression)) return [];
  if (node.expression.text !== 'StepforkError') return [];
  const [code] = node.arguments ?? [];
  return code === undefined ? [] : literals(code);
}

function literals(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue), ...literals(node.whenFalse)];
  return [];
}
