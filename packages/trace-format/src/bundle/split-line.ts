import { Buffer, isUtf8 } from 'node:buffer';
import type { EventType, TraceEvent } from '../event.js';
import { isJsonObject, setKey } from '../json/object.js';
import { parseJsonShape } from '../json/parse-json.js';
import type { Json } from '../json.js';
import { PAYLOAD_FIELDS } from '../payloads.js';
import type { BundleSchema } from '../schema/bundle-schema.js';

/** An event, and its payload's own bytes in the line. */
export interface SplitLine {
  /** Its numbers are what `JSON.parse` makes of them. */
  readonly event: TraceEvent;
  readonly payload: Buffer;
}

const QUOTE = 0x22;
const CLOSE = 0x7d;
const TYPE = Buffer.from(',"type":"');
/** What follows the payload of an llm_response; that of any other type is the last thing in its line. */
const AFTER_RESPONSE = Buffer.from(',"prompt_tokens":');
const KEYS = {
  input: Buffer.from(',"input":'),
  output: Buffer.from(',"output":'),
  before: Buffer.from(',"before":'),
  after: Buffer.from(',"after":'),
  details: Buffer.from(',"details":'),
};

/**
 * Takes the line of an event apart into its payload and the rest, and parses each by itself. That both are JSON is
 * what makes it certain where the payload stands, without a look at its inside.
 *
 * @returns null for a line of another layout than a writer's, or with a fault: it is to be read as a whole
 */
export function splitLine(line: Buffer, schema: BundleSchema): SplitLine | null {
  const type = typeOf(line);
  if (type === null || line[line.length - 1] !== CLOSE || !isUtf8(line)) return null;
  const [field, second] = PAYLOAD_FIELDS[type];
  if (field === undefined || second !== undefined) return null;
  const key = KEYS[field.name];
  const start = line.indexOf(key) + key.length;
  const end = type === 'llm_response' ? line.lastIndexOf(AFTER_RESPONSE) : line.length - 1;
  if (start < key.length || end < start) return null;
  const payload = parse(line.toString('utf8', start, end));
  const rest = parse(`${line.toString('utf8', 0, start)}null${line.toString('utf8', end)}`);
  // Not null: the same key stands in the rest once more, and wins there.
  if (payload === undefined || !isJsonObject(rest) || rest[field.name] !== null) return null;
  setKey(rest as { [key: string]: Json }, field.name, payload);
  const event = schema.writtenEvent(rest);
  return event === null ? null : { event, payload: line.subarray(start, end) };
}

/** What the line says first about its event's type. */
function typeOf(line: Buffer): EventType | null {
  const at = line.indexOf(TYPE) + TYPE.length;
  const type = at < TYPE.length ? '' : line.toString('latin1', at, line.indexOf(QUOTE, at));
  return Object.hasOwn(PAYLOAD_FIELDS, type) ? (type as EventType) : null;
}

function parse(text: string): Json | undefined {
  try {
    return parseJsonShape(text);
  } catch {
    return undefined;
  }
}
