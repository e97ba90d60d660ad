import { StepforkError } from '@stepfork/trace-format/write';
import type { RecordingOptions } from './options.js';

/**
 * Refuses options that mean nothing, where they are written and before anything runs.
 *
 * @throws StepforkError `invalid_argument`
 */
export function checkOptions(options: RecordingOptions, where: string): void {
  const { sample, keep, limits = {}, onUnserializable } = options;
  if (
    sample !== undefined &&
    typeof sample !== 'function' &&
    !(typeof sample === 'number' && sample >= 0 && sample <= 1)
  ) {
    refuse(where, 'sample', 'a number from 0 to 1 or a function');
  }
  if (keep !== undefined && keep !== 'all' && keep !== 'failed' && typeof keep !== 'function') {
    refuse(where, 'keep', "'all', 'failed' or a function");
  }
  if (onUnserializable !== undefined && onUnserializable !== 'placeholder' && onUnserializable !== 'throw') {
    refuse(where, 'onUnserializable', "'placeholder' or 'throw'");
  }
  for (const name of ['payloadBytes', 'events', 'bundleBytes'] as const) {
    const limit = limits[name];
    if (limit !== undefined && !(typeof limit === 'number' && limit > 0)) {
      refuse(where, `limits.${name}`, 'a number greater than 0');
    }
  }
}

function refuse(where: string, option: string, needed: string): never {
  throw new StepforkError('invalid_argument', `${where} needs ${needed} as its option '${option}'`, {
    details: { option },
  });
}
