import { displayText, StepforkError } from '@stepfork/trace-format/write';
import type { RecordingOptions } from './options.js';

/**
 * Refuses options that mean nothing, where they are written and before anything runs.
 *
 * @throws StepforkError `invalid_argument`
 */
export function checkOptions(options: RecordingOptions, where: string): void {
  checkNames(options, NAMES, where);
  const { output, overwrite, tags = {}, onError, handleSignals, clock } = options;
  const { sample, keep, limits = {}, onUnserializable } = options;
  if (output !== undefined && typeof output !== 'string') refuse(where, 'output', 'a path');
  if (overwrite !== undefined && typeof overwrite !== 'boolean') refuse(where, 'overwrite', 'true or false');
  if (handleSignals !== undefined && typeof handleSignals !== 'boolean')
    refuse(where, 'handleSignals', 'true or false');
  if (clock !== undefined && typeof clock !== 'boolean') refuse(where, 'clock', 'true or false');
  if (onError !== undefined && typeof onError !== 'function') refuse(where, 'onError', 'a function');
  if (typeof tags !== 'object' || tags === null || Object.values(tags).some((tag) => typeof tag === 'object')) {
    refuse(where, 'tags', 'an object of texts');
  }
  if (typeof limits !== 'object' || limits === null) refuse(where, 'limits', 'an object');
  checkNames(limits, LIMITS, `${where}: limits`);
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
  for (const name of LIMITS) {
    const limit = limits[name];
    if (limit !== undefined && !(typeof limit === 'number' && limit > 0)) {
      refuse(where, `limits.${name}`, 'a number greater than 0');
    }
  }
}

const LIMITS = ['payloadBytes', 'events', 'bundleBytes'] as const;
const NAMES = [
  ...['name', 'input', 'output', 'overwrite', 'redact', 'tags', 'onError', 'handleSignals', 'sample', 'keep', 'limits'],
  ...['onUnserializable', 'clock'],
];

/**
 * Refuses an option that there is not: a limit that is misspelt is no limit.
 *
 * @throws StepforkError `invalid_argument`
 */
export function checkNames(options: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const message = `${where} has no option '${displayText(unknown)}'; it has ${known.join(', ')}`;
  throw new StepforkError('invalid_argument', message, { details: { option: unknown } });
}

function refuse(where: string, option: string, needed: string): never {
  throw new StepforkError('invalid_argument', `${where} needs ${needed} as its option '${option}'`, {
    details: { option },
  });
}
