import { isStepforkError, StepforkError } from '@stepfork/trace-format/write';
import { type Entrypoint, findEntrypoint } from '../entrypoint.js';
import { badConfig } from './bad-config.js';
import type { ProjectConfig } from './project-config.js';

/**
 * The function that runs an agent: what the command line names, or else what the project names for the agent that was
 * recorded.
 *
 * @param given the flag's value
 * @param command whose flag it is, for the message that it is needed
 * @throws StepforkError `usage` where neither names one; `bad_config`; what is wrong with the entrypoint
 */
export function chooseEntrypoint(
  given: string | undefined,
  agent: string,
  project: ProjectConfig,
  command: string,
): Entrypoint {
  if (given !== undefined) return findEntrypoint(given);
  const { entrypoints } = project.settings;
  if (entrypoints === undefined) throw needsEntrypoint(command);
  const file = project.fileOf('entrypoints') ?? '';
  const named = Object.hasOwn(entrypoints, agent) ? entrypoints[agent] : undefined;
  if (named === undefined) throw namesNone(file, agent, Object.keys(entrypoints));
  try {
    return findEntrypoint(named);
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    const { code, message, details } = error;
    throw new StepforkError(code, `${file}: 'entrypoints.${agent}': ${message}`, { details, cause: error });
  }
}

/** Neither the command line nor the project names one. */
export function needsEntrypoint(command: string): StepforkError {
  return new StepforkError(
    'usage',
    `'${command}' needs --entrypoint, or a stepfork.config.ts that names entrypoints by agent. Run 'stepfork ${command} --help' to see what it takes.`,
  );
}

function namesNone(file: string, agent: string, known: readonly string[]): StepforkError {
  const others = known.length === 0 ? '' : ` but for ${known.join(', ')}`;
  return badConfig(file, 'entrypoints', `names none for the agent '${agent}'${others}. Add it, or give --entrypoint.`);
}
