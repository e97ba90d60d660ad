import { StepforkError } from '@stepfork/trace-format/write';
import type { ProjectConfig } from '../../config/project-config.js';
import { noRunOf } from '../../traces/find-bundle.js';
import type { Run } from '../../traces/glance.js';

/** Runs of a folder by whether they are of the agent that is replayed. */
export interface WhoseRuns {
  readonly own: readonly Run[];
  readonly others: readonly Run[];
}

interface Asked {
  readonly folder: string;
  /** `--agent`. */
  readonly agent: string | undefined;
  /** `--entrypoint`; without it each run has the one of its agent. */
  readonly entrypoint: string | null;
}

/**
 * A function is one agent, and a folder holds the runs of many. Which of them it is says `--agent`, or else the project,
 * where that names the function; a wrong guess would make a divergence of each of the others' runs, or hide one.
 *
 * @throws StepforkError `no_such_run` where `--agent` has none there, `usage` where nobody says it
 */
export function whoseRuns(runs: readonly Run[], asked: Asked, { settings }: ProjectConfig): WhoseRuns {
  const { folder, agent, entrypoint } = asked;
  const agents = [...new Set(runs.map(({ agent_name }) => agent_name))];
  if (agent !== undefined) {
    if (!agents.includes(agent)) throw new StepforkError('no_such_run', noRunOf(agent, { path: folder, runs }));
    return divided(runs, [agent]);
  }
  if (entrypoint === null || agents.length < 2) return { own: runs, others: [] };
  const named = Object.entries(settings.entrypoints ?? {}).filter(([, text]) => text === entrypoint);
  const known = named.map(([name]) => name).filter((name) => agents.includes(name));
  if (known.length > 0) return divided(runs, known);
  throw new StepforkError(
    'usage',
    `there are runs of ${agents.length} agents in ${folder}: ${agents.join(', ')}. Say with --agent which of them ${entrypoint} is.`,
  );
}

const divided = (runs: readonly Run[], agents: readonly string[]): WhoseRuns => ({
  own: runs.filter(({ agent_name }) => agents.includes(agent_name)),
  others: runs.filter(({ agent_name }) => !agents.includes(agent_name)),
});
