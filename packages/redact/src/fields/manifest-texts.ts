import type { Manifest } from '@stepfork/trace-format/write';

/** The manifest with each text that may be changed as `change` answers it. */
export function mapManifestTexts(
  manifest: Manifest,
  change: (text: string, path: readonly string[]) => string,
): Manifest {
  const text = <T extends string | null>(value: T, ...path: string[]): T =>
    (value === null ? value : change(value, path)) as T;
  const { failure, environment } = manifest;
  return {
    ...manifest,
    agent_name: text(manifest.agent_name, 'agent_name'),
    failure: failure && {
      ...failure,
      type: text(failure.type, 'failure', 'type'),
      message: text(failure.message, 'failure', 'message'),
    },
    environment: {
      python: text(environment.python, 'environment', 'python'),
      os: text(environment.os, 'environment', 'os'),
      stepfork_version: text(environment.stepfork_version, 'environment', 'stepfork_version'),
    },
  };
}
