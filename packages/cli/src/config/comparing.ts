import type { PlanOptions } from '@stepfork/replay';
import { ignoredPlaces } from '../ignored-places.js';
import type { ProjectConfig } from './project-config.js';

type Comparing = Pick<PlanOptions, 'ignore' | 'match' | 'normalize'>;

/**
 * How calls are compared: by the project's rules, to which the places of `--ignore` are added.
 *
 * @throws StepforkError `usage` for a place that is none
 */
export function comparingOf(project: ProjectConfig, ignore: readonly string[]): Comparing {
  const { match, normalize } = project.settings;
  return {
    ignore: mergePlaces(project.settings.ignore ?? {}, ignoredPlaces(ignore)),
    ...(match === undefined ? {} : { match }),
    ...(normalize === undefined ? {} : { normalize }),
  };
}

type Places = NonNullable<Comparing['ignore']>;

function mergePlaces(one: Places, other: Places): Places {
  const calls = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...calls].map((call) => [call, [...(one[call] ?? []), ...(other[call] ?? [])]]));
}
