import { join } from 'node:path';

/** So that a bundle's name, with the run id and a suffix, stays well below what file systems allow. */
const LONGEST_NAME = 100;

/** Where a run is recorded unless told otherwise: `.stepfork/traces/<agent>-<run_id>.sftrace`. */
export function defaultOutputPath(agentName: string, runId: string): string {
  const name = agentName.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  return join('.stepfork', 'traces', `${name.slice(0, LONGEST_NAME) || 'agent'}-${runId}.sftrace`);
}
