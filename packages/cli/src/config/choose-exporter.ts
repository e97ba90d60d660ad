import { StepforkError } from '@stepfork/trace-format/write';
import type { ProjectConfig } from './project-config.js';

/**
 * The exporter that the command line names, or else the project.
 *
 * @throws StepforkError `usage` where neither does
 */
export function chooseExporter(given: string | undefined, { settings }: ProjectConfig): string {
  const named = given ?? settings.exporter;
  if (named !== undefined) return named;
  throw new StepforkError(
    'usage',
    "'export' needs --to, or a stepfork.config.ts that names an exporter. Run 'stepfork export --help' to see what it takes.",
  );
}
