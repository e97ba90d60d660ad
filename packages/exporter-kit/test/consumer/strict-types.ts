import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { consumerModules } from './built-packages.js';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * What TypeScript says about these files under strict NodeNext, imports of this repository's packages led
 * to their sources.
 */
export async function strictDiagnostics(
  files: readonly string[],
  paths: Readonly<Record<string, string[]>> = {},
): Promise<string[]> {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    jsx: ts.JsxEmit.Preserve,
    types: ['node'],
    typeRoots: [join(await consumerModules(), '@types')],
    paths: {
      ...paths,
      '@stepfork/*/setup': [join(repository, 'packages/*/src/setup.ts')],
      '@stepfork/*/runtime': [join(repository, 'packages/*/src/runtime.ts')],
      '@stepfork/*/boundary': [join(repository, 'packages/*/src/boundary.ts')],
      '@stepfork/*/write': [join(repository, 'packages/*/src/write.ts')],
      '@stepfork/*': [join(repository, 'packages/*/src/index.ts')],
    },
  });
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    if (source === undefined) return [`${file} was not read`];
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  });
}
