import { type Buffer, isUtf8 } from 'node:buffer';
import type { TraceEvent } from '../event.js';
import { skipCompact, skipKey } from '../json/compact-json.js';
import { isJsonObject } from '../json/object.js';
import { parseJsonShape } from '../json/parse-json.js';
import type { Json } from '../json.js';
import { PAYLOAD_FIELDS } from '../payloads.js';
import type { BundleSchema } from '../schema/bundle-schema.js';

/** An event without its payload, and that payload's own bytes in the line. */
export interface SplitLine {
  /** Null stands for its payload. */
  readonly event: TraceEvent;
  readonly payload: Buffer;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const COMMA = 0x2c;
/** By the number of letters, each another. */
const PAYLOAD_KEYS = new Map(['input', 'output', 'details'].map((name) => [name.length, `"${name}":`]));

/**
 * Takes the line of an event apart into its payload and the rest. Every byte of it is looked at, which makes it
 * certain that both are JSON, and where the payload stands; only the rest is parsed.
 *
 * @returns null for a line of another layout than a writer's, with two payloads, or with a fault: it is to be read as
 * a whole
 */
export function splitLine(line: Buffer, schema: BundleSchema): SplitLine | null {
  const place = findPayload(line);
  if (place === null || !isUtf8(line)) return null;
  const { start, end } = place;
  const tail = end === line.length - 1 ? '}' : line.toString('utf8', end);
  const rest = parse(`${line.toString('utf8', 0, start)}null${tail}`);
  if (!isJsonObject(rest)) return null;
  const event = schema.writtenEvent(rest);
  const [field, second] = event === null ? [] : PAYLOAD_FIELDS[event.type];
  // Not null: the same key stands in the rest once more, in whatever spelling, and wins there.
  if (event === null || field?.name !== place.name || second !== undefined || rest[field.name] !== null) return null;
  return { event, payload: line.subarray(start, end) };
}

interface PayloadPlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Where the one field stands that is named as a payload is; null unless the whole line is compact JSON. */
function findPayload(line: Buffer): PayloadPlace | null {
  const last = line.length - 1;
  if (line[0] !== OPEN || line[last] !== CLOSE) return null;
  let place: PayloadPlace | null = null;
  for (let at = 1; at < last; ) {
    const start = skipKey(line, at, last);
    const end = start === -1 ? -1 : skipCompact(line, start, last);
    if (end === -1) return null;
    const key = PAYLOAD_KEYS.get(start - at - 3);
    if (key !== undefined && line.toString('latin1', at, start) === key) {
      if (place !== null) return null;
      place = { name: key.slice(1, -2), start, end };
    }
    if (end === last) return place;
    if (line[end] !== COMMA) return null;
    at = end + 1;
  }
  return null;
}

function parse(text: string): Json | undefined {
  try {
    return parseJsonShape(text);
  } catch {
    return undefined;
  }
}
