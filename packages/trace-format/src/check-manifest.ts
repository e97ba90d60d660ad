import { StepforkError } from './errors.js';
import { RUN_STATUSES } from './event.js';
import { isAmount, isCount, isText, isTimestamp, orNull } from './field-rules.js';
import type { Manifest } from './manifest.js';

/**
 * Returns the manifest if it keeps the rules of the format.
 *
 * @throws StepforkError `invalid_manifest` naming the field
 */
export function checkManifest(manifest: Manifest): Manifest {
  const { failure, environment, totals } = manifest;
  demand('run_id', isText(manifest.run_id));
  demand('agent_name', isText(manifest.agent_name));
  demand('created_at', isTimestamp(manifest.created_at));
  demand('status', RUN_STATUSES.includes(manifest.status));
  demand('failure', (manifest.status === 'failed') === (failure !== null));
  if (failure !== null) {
    demand('failure.type', isText(failure.type));
    demand('failure.message', isText(failure.message));
    demand('failure.step', isCount(failure.step));
  }
  for (const name of ['python', 'os', 'stepfork_version'] as const) {
    demand(`environment.${name}`, environment[name] === null || environment[name] === '' || isText(environment[name]));
  }
  for (const name of ['events', 'llm_calls', 'tool_calls'] as const) demand(`totals.${name}`, isCount(totals[name]));
  demand('totals.cost_usd', orNull(isAmount)(totals.cost_usd));
  demand('totals.duration_ms', orNull(isCount)(totals.duration_ms));
  return manifest;
}

function demand(field: string, holds: boolean): void {
  if (holds) return;
  const hint = field === 'failure' ? ' (present exactly when the status is failed)' : '';
  throw new StepforkError('invalid_manifest', `manifest: '${field}' is not what the format allows${hint}`, {
    details: { field },
  });
}
