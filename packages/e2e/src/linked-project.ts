import { join } from 'node:path';
import ts from 'typescript';
import { linkPackages } from './link-packages.js';
import { testFolder } from './test-folder.js';
import { ROOT } from './workspace.js';

/** A new project for the running test alone, in which the built packages are found without an installation. */
export function linkedProject(name: string): string {
  const folder = testFolder(name);
  linkPackages(folder);
  return folder;
}

/** What the compiler says of the files, a line each, under the settings that a strict project has. */
export function typeFaults(files: readonly string[]): readonly string[] {
  const program = ts.createProgram([...files], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    typeRoots: [join(ROOT, 'packages/e2e/node_modules/@types')],
    types: ['node'],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}
