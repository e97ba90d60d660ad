import { parseEntrypoint, resolveAlias } from '@stepfork/exporter-kit';
import { displayText, StepforkError } from '@stepfork/trace-format';
import { chooseEntrypoint } from '../../config/choose-entrypoint.js';
import type { ProjectConfig } from '../../config/project-config.js';
import type { Entrypoint } from '../../entrypoint.js';

/** A function that a test can import. */
export interface Importable {
  readonly entrypoint: Entrypoint;
  /** The path alias by which it was named, and by which the test imports it. */
  readonly alias: string | null;
}

/** A test imports its entrypoint by name, so a member of an export will not do. */
export function chooseImportable(given: string | undefined, agent: string, project: ProjectConfig): Importable {
  const aliased = given === undefined ? null : byAlias(given);
  if (aliased !== null) return aliased;
  const entrypoint = chooseEntrypoint(given, agent, project, 'export');
  if (entrypoint.members.length === 0) return { entrypoint, alias: null };
  throw new StepforkError(
    'bad_entrypoint',
    `a test cannot import '${displayText(entrypoint.text)}', a member of an export. Export the function itself from its file.`,
    { details: { entrypoint: entrypoint.text } },
  );
}

/** `@/agent:runAgent`, by the project's tsconfig.json or the imports of its package.json. */
function byAlias(text: string): Importable | null {
  const colon = text.lastIndexOf(':');
  const alias = text.slice(0, Math.max(colon, 0));
  const file = resolveAlias('.', alias);
  if (file === null) return null;
  return { entrypoint: { text, file, exportName: parseEntrypoint(text).exportName, members: [] }, alias };
}
