import { isJsonArray, isJsonObject } from '@stepfork/trace-format';
import type { ReplayPlan } from '../plan/plan.js';
import type { Divergence } from '../report.js';

/**
 * A replay that goes wrong at its very first call often was not started as the recorded run was: a `record` that was
 * given no `input` keeps none, and one whose `input` is a list of arguments has it spread.
 *
 * @param declared how many parameters the entrypoint declares
 */
export function inputHints(
  { run: { input } }: ReplayPlan,
  divergence: Divergence | null,
  declared: number,
): readonly string[] {
  if (divergence === null || divergence.position > 1) return [];
  if (input === null) {
    return [
      'the recording holds no run input, so the entrypoint was called without arguments; option input gives some',
    ];
  }
  if (!isJsonObject(input) || !isJsonArray(input.args) || Object.keys(input).length > 1) return [];
  const given = input.args.length;
  if (given === declared) return [];
  return [
    `the recorded run input lists ${given === 1 ? '1 argument' : `${given} arguments`}, the entrypoint declares ${declared}; option input gives others`,
  ];
}
