import { displayText, StepforkError } from '@stepfork/trace-format';
import { chooseEntrypoint } from '../../config/choose-entrypoint.js';
import type { ProjectConfig } from '../../config/project-config.js';
import type { Entrypoint } from '../../entrypoint.js';

/** A test imports its entrypoint by name, so a member of an export will not do. */
export function chooseImportable(given: string | undefined, agent: string, project: ProjectConfig): Entrypoint {
  const entrypoint = chooseEntrypoint(given, agent, project, 'export');
  if (entrypoint.members.length === 0) return entrypoint;
  throw new StepforkError(
    'bad_entrypoint',
    `a test cannot import '${displayText(entrypoint.text)}', a member of an export. Export the function itself from its file.`,
    { details: { entrypoint: entrypoint.text } },
  );
}
