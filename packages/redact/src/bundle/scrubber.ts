import {
  canonicalJson,
  type Finding,
  type Json,
  type JsonObject,
  type Manifest,
  type PathSegment,
  parsePointer,
  type RedactedEvent,
  type RedactedManifest,
  sealEvent,
  sealManifest,
  streamOf,
  type TraceEvent,
  toPointer,
} from '@stepfork/trace-format/write';
import { ChunkPass } from '../chunks/chunk-pass.js';
import { cleanStream } from '../chunks/stream-value.js';
import { mapEventFields } from '../fields/event-fields.js';
import { mapManifestTexts } from '../fields/manifest-texts.js';
import { type Found, toFindings } from '../findings.js';
import type { SecretMemory } from '../memory/memory.js';
import { type PointerSteps, stepInto } from '../pointer-rules.js';
import { Walker } from '../walk/walker.js';
import { MANIFEST_ID, type ScrubPlaces, scrubbed } from './scrub-places.js';
import { scrubRules } from './scrub-rules.js';

/** What is left of a value, and what was taken. */
interface Scrubbed<T> {
  readonly value: T;
  readonly found: readonly Found[];
  /** Texts that stood at a place that was named. */
  readonly taught: readonly string[];
}

/** Removes what stands at places, and what a memory knows, from the parts of a bundle. */
export class Scrubber {
  readonly #places: ScrubPlaces;
  readonly #memory: SecretMemory;
  /** How many places were redacted. */
  count = 0;

  constructor(places: ScrubPlaces, memory: SecretMemory) {
    this.#places = places;
    this.#memory = memory;
  }

  /** @param known what was redacted in it before */
  event(
    event: TraceEvent,
    known: readonly Finding[],
  ): { readonly sealed: RedactedEvent; readonly fresh: readonly Finding[] } {
    const { value, found } = this.#event(event);
    const fresh = this.#counted(found);
    const redactions = event.redactions.map(this.pointer);
    return { sealed: sealEvent({ ...value, redactions }, [...this.#moved(known), ...fresh], event), fresh };
  }

  manifest(
    manifest: Manifest,
    known: readonly Finding[],
  ): { readonly sealed: RedactedManifest; readonly fresh: readonly Finding[] } {
    const { value, found } = this.#manifest(manifest);
    const fresh = this.#counted(found);
    return { sealed: sealManifest(value, [...this.#moved(known), ...fresh]), fresh };
  }

  /**
   * A record of runtime.jsonl. What tells readers how to take it stays.
   *
   * @param data what is to stand there for its data
   */
  runtime(record: JsonObject, data?: Json): JsonObject {
    const found: Found[] = [];
    const entries = Object.entries(record).map(([name, value]): [string, Json] => {
      if (STRUCTURE.has(name)) return [name, value];
      if (name === 'data' && data !== undefined) return [name, this.#replaced(value, data)];
      if (name === 'path' && typeof value === 'string') return [name, this.pointer(value)];
      return [name, this.#field(value, [name], null, found)];
    });
    this.count += found.length;
    return Object.fromEntries(entries);
  }

  #replaced(before: Json, after: Json): Json {
    if (canonicalJson(before) !== canonicalJson(after)) this.count++;
    return after;
  }

  /** What stands at the places of an event. */
  textsInEvent(event: TraceEvent): readonly string[] {
    return this.#event(event).taught;
  }

  textsInManifest(manifest: Manifest): readonly string[] {
    return this.#manifest(manifest).taught;
  }

  /** A JSON Pointer whose keys may hold what is removed. */
  readonly pointer = (pointer: string): string => {
    const keys = parsePointer(pointer);
    return keys === null ? this.#memory.redact(pointer) : toPointer(keys.map((key) => this.#memory.redact(key)));
  };

  #event(event: TraceEvent): Scrubbed<TraceEvent> {
    const steps = this.#places.stepsOf(event.id);
    const found: Found[] = [];
    const taught: string[] = [];
    const value = mapEventFields(event, ({ name, value }) => this.#field(value, [name], steps, found, taught));
    return { value, found, taught };
  }

  #manifest(manifest: Manifest): Scrubbed<Manifest> {
    const steps = this.#places.stepsOf(MANIFEST_ID);
    const found: Found[] = [];
    const taught: string[] = [];
    const value = mapManifestTexts(manifest, (text, path) => this.#field(text, path, steps, found, taught) as string);
    return { value, found, taught };
  }

  #field(value: Json, path: readonly PathSegment[], steps: PointerSteps, found: Found[], taught: string[] = []): Json {
    const walker = new Walker(scrubRules(path.reduce(stepInto, steps)), this.#memory);
    const result = walker.payload(value, path);
    for (const place of walker.found) found.push(place);
    for (const text of walker.taught) taught.push(text);
    return this.#stream(result, path, found);
  }

  /** A recorded stream: what is removed may be spread over its chunks. */
  #stream(value: Json, path: readonly PathSegment[], found: Found[]): Json {
    const stream = streamOf(value);
    if (stream === null || this.#memory.isEmpty) return value;
    const pass = new ChunkPass(scrubRules(null), this.#memory, true);
    const clean = cleanStream(stream, pass, path, found);
    if (clean.chunks === stream.chunks) return value;
    return { ...(value as JsonObject), ...clean };
  }

  #counted(found: readonly Found[]): readonly Finding[] {
    const findings = scrubbed(toFindings(found));
    this.count += findings.length;
    return findings;
  }

  #moved(known: readonly Finding[]): readonly Finding[] {
    return known.map(({ path, reason }) => ({ path: this.pointer(path), reason: this.#memory.redact(reason) }));
  }
}

/** Fields of a runtime record that are ids or the format's own words. */
const STRUCTURE = new Set(['type', 'schema', 'call_id', 'event_id', 'kind', 'answered', 'redaction', 'time_zone']);
