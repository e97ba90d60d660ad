import { displayText, type EncodedValue, StepforkError } from '@stepfork/trace-format/write';
import { describe, type Named } from '../boundary/describe.js';

/** Why a payload that must be stored completely cannot be; null where it can. */
export function refusalToLose(what: Named, field: 'input' | 'output', captured: EncodedValue): StepforkError | null {
  const [first] = captured.placeholders;
  if (first === undefined) return null;
  const path = `/${field}${first.path}`;
  const advice =
    field === 'input' ? 'pass plain data, or record other data by `input`' : 'return plain data, or give a codec';
  const message = `${describe(what)}: ${displayText(`${path} (${first.reason})`)} cannot be recorded; ${advice}`;
  return new StepforkError('unserializable', message, { details: { pointer: path, reason: first.reason } });
}
