import { StepforkError } from '@stepfork/trace-format';

let locate: (() => string | undefined) | null = null;

/**
 * An exporter's setup says how its framework names the running test file. A test then states its recording by a
 * plain relative path, the same in an ES module, in CommonJS, and in TypeScript that becomes either.
 */
export function locateTestFile(by: () => string | undefined): void {
  locate = by;
}

/** @throws StepforkError `setup_missing` when no setup was loaded in this test file. */
export function currentTestFile(): string {
  const file = locate?.();
  if (file !== undefined && file !== '') return file;
  throw new StepforkError(
    'setup_missing',
    "replayCase() cannot tell which test file it runs in: import the exporter's /setup first, for example '@stepfork/exporter-vitest/setup', or pass `from`",
  );
}
