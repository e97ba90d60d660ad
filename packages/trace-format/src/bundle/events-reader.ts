import { Buffer } from 'node:buffer';
import { StepforkError } from '../errors.js';
import type { TraceEvent } from '../event.js';
import { parseJsonShape } from '../json/parse-json.js';
import { isCall } from '../repeats/earlier-inputs.js';
import { mayRepeat } from '../repeats/reference.js';
import type { BundleSchema } from '../schema/bundle-schema.js';
import { type MemberLine, memberLines } from './lines.js';
import { invalidJson, missingFile, parseBytes, parseExactly } from './member.js';
import type { Members } from './members.js';
import { splitLine } from './split-line.js';

/** An event whose shape was read; good until the next is asked for. */
export class ReadShape {
  /** The whole line, without its end. */
  readonly line: Buffer;
  /** Null stands for its payload where that is known by its bytes; else numbers are what `JSON.parse` makes of them. */
  readonly event: TraceEvent;
  /** Its payload's bytes in the line, where they are known. */
  readonly payload: Buffer | null;
  readonly place: LinePlace;
  readonly #schema: BundleSchema;

  constructor({ bytes, number }: MemberLine, schema: BundleSchema, file: string) {
    const split = splitLine(bytes, schema);
    this.line = bytes;
    this.event = split === null ? parseEventLine(bytes, schema, file, number, parseJsonShape) : split.event;
    this.payload = split === null ? null : split.payload;
    this.place = { file, number, bytes: bytes.length };
    this.#schema = schema;
  }

  /** Whether its input may repeat an earlier one. */
  get mayRepeat(): boolean {
    return isCall(this.event) && mayRepeat(this.line);
  }

  /** The event again, whole, every number as the line says it. */
  exact(): TraceEvent {
    return this.#parsed(this.line);
  }

  /** The same, for when the line is gone. */
  exactLater(): () => TraceEvent {
    const line = Buffer.from(this.line);
    return () => this.#parsed(line);
  }

  #parsed(line: Buffer): TraceEvent {
    return parseEventLine(line, this.#schema, this.place.file, this.place.number);
  }
}

/** An event as it stands in its line. */
export interface LineEvent {
  readonly event: TraceEvent;
  readonly place: LinePlace;
  /** Whether its input may repeat an earlier one. */
  readonly mayRepeat: boolean;
}

/** Where a line lies, and how long it is. */
export interface LinePlace {
  readonly file: string;
  /** 1-based. */
  readonly number: number;
  /** Without its end. */
  readonly bytes: number;
}

/**
 * The events of a bundle in file order, one at a time.
 *
 * @throws StepforkError `missing_file`, `invalid_json`, `invalid_event`, `event_too_large`
 */
export function bundleEvents(members: Members, schema: BundleSchema): Generator<LineEvent, void, undefined> {
  return eachLine(members, (line, file) => lineEvent(line, schema, file));
}

/**
 * The event of one line.
 *
 * @throws StepforkError `invalid_json`, `invalid_event`
 */
export function lineEvent(
  { bytes, number }: Pick<MemberLine, 'bytes' | 'number'>,
  schema: BundleSchema,
  file: string,
): LineEvent {
  const event = parseEventLine(bytes, schema, file, number);
  return {
    event,
    place: { file, number, bytes: bytes.length },
    mayRepeat: isCall(event) && mayRepeat(bytes),
  };
}

/** The same for whoever does not look at the numbers in payloads, several times faster. */
export function bundleShapes(members: Members, schema: BundleSchema): Generator<ReadShape, void, undefined> {
  return eachLine(members, (line, file) => new ReadShape(line, schema, file));
}

function* eachLine<T>(members: Members, read: (line: MemberLine, file: string) => T): Generator<T, void, undefined> {
  const member = members.open('events.jsonl');
  if (member === null) throw missingFile(members.path, 'events.jsonl');
  try {
    for (const line of memberLines(member)) yield read(line, member.file);
  } finally {
    member.close();
  }
}

function parseEventLine(
  bytes: Buffer,
  schema: BundleSchema,
  file: string,
  line: number,
  parse = parseExactly,
): TraceEvent {
  if (isBlank(bytes)) throw invalidJson(file, line, 'blank line');
  const parsed = schema.event(parseBytes(bytes, file, line, parse));
  if (parsed.ok) return parsed.value;
  throw new StepforkError('invalid_event', `${file}:${line}: ${parsed.problem}`, { details: { file, line } });
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09);
}
