import {
  createRoom,
  isJsonObject,
  type Json,
  type JsonObject,
  newInLine,
  PAYLOAD_FIELDS,
  type PathSegment,
  parseJson,
  toPointer,
} from '@stepfork/trace-format/write';
import type { CompiledRules } from '../compile.js';
import { keyOfPayloads } from '../fields/event-fields.js';
import { NO_MEMORY, type SecretMemory } from '../memory/memory.js';
import type { RedactFunction } from '../options.js';
import { redactText } from '../text/text-redactor.js';
import { Walker } from '../walk/walker.js';
import { type ChunkHit, ChunkScan } from './chunk-scan.js';
import { partEnvelope, withoutKeys } from './envelope.js';
import { type TextKind, takeOwnPointers } from './own-pointers.js';
import { chunksOfEvent, type RecordedChunk, recordedChunk } from './recorded-chunks.js';
import { repeatsKey } from './repeated-key.js';
import { type IsRepeated, repeatedPlaces } from './repeated-places.js';

/** A place in a text where a rule strikes. */
export interface Hit {
  /** JSON Pointer, where the text is JSON. */
  readonly path: string | null;
  readonly rule: string;
  readonly eventId?: string;
}

/** What a line of JSON comes to. */
export interface ScannedJson {
  readonly hits: readonly Hit[];
  /** A chunk of a stream that the line tells of, which is to be looked at with the others of it. */
  readonly chunk: RecordedChunk | null;
}

/** Looks with the rules at the texts of a bundle. What strikes is learned, and looked for in what follows. */
export class TextScan {
  readonly #rules: CompiledRules;
  /** Without what is said of payloads alone. */
  readonly #general: CompiledRules;
  /** For what is the format's own. */
  readonly #textual: CompiledRules;
  readonly #memory: SecretMemory;
  readonly #room = createRoom();
  /** Whether something was learned. */
  grew = false;

  constructor(rules: CompiledRules, memory: SecretMemory) {
    this.#rules = rules;
    this.#general = { ...rules, pointers: null, functions: [] };
    this.#textual = withoutKeys(this.#general);
    this.#memory = memory;
  }

  /** JSON by the value it is; null for text that is none. */
  json(text: string, kind: TextKind): ScannedJson | null {
    const parsed = parsedText(text);
    if (parsed === null) return null;
    const chunk = kind === 'runtime' ? recordedChunk(parsed.value) : null;
    const hits = this.#value(chunk === null ? parsed.value : { ...(parsed.value as JsonObject), data: null }, kind);
    return { hits: repeatsKey(text, parsed.value) ? [...hits, ...this.text(text)] : hits, chunk };
  }

  /** For the chunks of one stream. */
  openChunks(): ChunkScan {
    return new ChunkScan(this.#rules, this.#memories(), (taught) => this.#learn(taught));
  }

  /** An event's id, unless that is itself a find. */
  idOf(id: Json | undefined): { readonly eventId?: string } {
    return typeof id === 'string' && this.#ruleIn(id) === null ? { eventId: id } : {};
  }

  /** Text that is no JSON, or says more than its value. */
  text(text: string): readonly Hit[] {
    const rule = this.#ruleIn(text);
    return rule === null ? [] : [{ path: null, rule }];
  }

  #ruleIn(text: string): string | null {
    const [rule = null] = this.#memories().flatMap((memory): readonly string[] => {
      const taught: string[] = [];
      const result = redactText(text, this.#rules.text, memory, (secret) => taught.push(secret));
      this.#learn(taught);
      return result === null ? [] : [result.rule];
    });
    return rule;
  }

  #value(line: Json, kind: TextKind): readonly Hit[] {
    const value = kind === 'event' && isJsonObject(line) ? newInLine(line, this.#room) : line;
    const isRepeated =
      value !== line && isJsonObject(line) && isJsonObject(value) ? repeatedPlaces(line, value) : NOWHERE;
    const { rest: all, pointers } = takeOwnPointers(value, kind);
    const stream = kind === 'event' && isJsonObject(all) ? chunksOfEvent(all) : null;
    const rest = stream?.rest ?? all;
    const walkers = this.#memories().flatMap((memory) => this.#walkers(rest, kind, memory));
    if (kind === 'event' && isJsonObject(rest)) walkers.push(this.#payloads(rest, isRepeated));
    const ruleAt = new Map<string, string>();
    const add = (path: string, rule: string): void => void (ruleAt.has(path) || ruleAt.set(path, rule));
    for (const { taught, found } of walkers) {
      this.#learn(taught);
      for (const { path, rule } of found) add(toPointer(path.map(this.#shown)), rule);
    }
    for (const { index, path, rule } of this.#chunks(stream?.chunks ?? [])) add(`/output/chunks/${index}${path}`, rule);
    for (const { at, keys } of pointers) {
      for (const rule of keys.map((key) => this.#ruleIn(key))) if (rule !== null) add(at, rule);
    }
    const id = kind === 'event' && isJsonObject(value) && ruleAt.size > 0 ? this.idOf(value.id) : {};
    return [...ruleAt].map(([path, rule]) => ({ path, rule, ...id }));
  }

  /** The format's own fields by what they say, all else by its keys, too. */
  #walkers(rest: Json, kind: TextKind, memory: SecretMemory): Walker[] {
    const inside = new Walker(this.#general, memory);
    if (!isJsonObject(rest)) {
      inside.payload(rest);
      return [inside];
    }
    const { envelope, content } = partEnvelope(rest, kind);
    const around = new Walker(this.#textual, memory);
    around.payload(envelope);
    inside.payload(content);
    return [around, inside];
  }

  #chunks(chunks: readonly Json[]): readonly ChunkHit[] {
    if (chunks.length === 0) return [];
    const scan = this.openChunks();
    for (const chunk of chunks) scan.add(chunk);
    return scan.end();
  }

  /** A step of a path: a key may be what was found to be secret elsewhere. */
  readonly #shown = (segment: PathSegment): PathSegment =>
    typeof segment === 'string' ? this.#memory.redact(segment) : segment;

  /** A rule that strikes by itself says more than that something recurs, so that it is asked first. */
  #memories(): readonly SecretMemory[] {
    return this.#memory.isEmpty ? [NO_MEMORY] : [NO_MEMORY, this.#memory];
  }

  /** The payloads of an event by themselves: pointers, functions and a changed state's key are about them. */
  #payloads(event: JsonObject, isRepeated: IsRepeated): Walker {
    const functions = this.#rules.functions.map(
      (rule): RedactFunction =>
        (value, place) =>
          !(value === null && isRepeated(place.path)) && rule(value, place),
    );
    const walker = new Walker({ ...this.#rules, functions }, NO_MEMORY);
    const type = Object.hasOwn(event, 'type') ? String(event.type) : '';
    const isKnown = Object.hasOwn(PAYLOAD_FIELDS, type);
    const key = keyOfPayloads(event);
    const hasOwnRules = this.#rules.pointers !== null || this.#rules.functions.length > 0 || key !== null;
    if (!isKnown || !hasOwnRules) return walker;
    for (const { name } of PAYLOAD_FIELDS[type as keyof typeof PAYLOAD_FIELDS]) {
      if (Object.hasOwn(event, name)) walker.payload(event[name] as Json, [name], key);
    }
    return walker;
  }

  #learn(taught: readonly string[]): void {
    if (this.#memory.learn(taught)) this.grew = true;
  }
}

const NOWHERE: IsRepeated = () => false;

function parsedText(text: string): { readonly value: Json } | null {
  try {
    return { value: parseJson(text, { nonFinite: true }) };
  } catch {
    return null;
  }
}
