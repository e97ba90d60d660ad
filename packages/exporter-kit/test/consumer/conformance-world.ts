import type { ConformanceWorld, TestOutcome } from '@stepfork/exporter-kit/conformance';
import ts from 'typescript';
import type { ConsumerProject, Results } from './consumer-project.js';

/** A project as the conformance suite wants it. */
export function worldOf(project: ConsumerProject, run: (testFiles: readonly string[]) => Results): ConformanceWorld {
  return { folder: project.folder, run: async (testFiles) => outcomes(run(testFiles)) };
}

function outcomes({ tests, faults, output }: Results): Record<string, TestOutcome> {
  return Object.fromEntries(
    Object.entries(tests).map(([file, results]) => [
      file,
      {
        passed: results.length > 0 && results.every(({ status }) => status === 'passed'),
        // Of a `beforeAll` that fails, vitest tells in its output alone.
        output: [...results.map(({ message }) => message), faults[file]].join('\n').trim() || output,
      },
    ]),
  );
}

/** Throws for what TypeScript's parser takes for a fault. */
export function parse(text: string, fileName: string): void {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest);
  const [fault] = (file as unknown as { readonly parseDiagnostics: readonly ts.Diagnostic[] }).parseDiagnostics;
  if (fault !== undefined) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
}
