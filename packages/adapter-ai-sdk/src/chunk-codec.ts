import { withMarks } from './sdk-error.js';
import { isRecord } from './shape.js';

/** Parts are recorded as they are; the error that one may hold is known to the SDK again. */
export const CHUNK_CODEC = {
  encode: (part: unknown): unknown => part,
  decode: (part: unknown): unknown => (isRecord(part) && part.type === 'error' ? withMarkedError(part) : part),
};

function withMarkedError(part: Readonly<Record<string, unknown>>): unknown {
  withMarks(part.error);
  return part;
}
