import type { TraceEvent } from '../event.js';
import { carryFloats } from '../json/float-marks.js';
import { sortKeys } from '../json/key-order.js';
import { type KeyShape, keyShapeOf } from '../json/key-shape.js';
import { jsonText } from '../json/native.js';
import { isJsonArray, isJsonObject, type OpenObject, setKey } from '../json/object.js';
import type { Json } from '../json.js';
import { escapePointer, type PathSegment, toPointer } from '../path.js';
import { PAYLOAD_FIELDS } from '../payloads.js';
import type { ChunkRecord, KeyOrderRecord, RuntimeRecord } from '../runtime.js';

/**
 * Payloads are written with their keys sorted, so that their bytes can be hashed. The order in which an agent saw
 * them matters all the same: `JSON.stringify(result)` in its next prompt must make the same prompt again. It lies
 * in runtime.jsonl. One record serves every object with the same keys, so a bundle has few.
 */

/** Shapes that a writer remembers; what comes after them is recorded object by object. */
const MAX_SHAPES = 10_000;

/** Which key orders a bundle's readers know already. */
export class KeyOrders {
  /** By the sorted keys: the order that holds for the bundle. */
  readonly #known = new Map<string, string>();
  /** Shapes whose order holds, for a look without a text. */
  readonly #holding = new Set<KeyShape>();

  /** What has to be recorded before the event is written. */
  recordsFor(event: TraceEvent): readonly KeyOrderRecord[] {
    const records: KeyOrderRecord[] = [];
    for (const { name } of PAYLOAD_FIELDS[event.type]) {
      const payload = (event as unknown as { readonly [name: string]: Json | undefined })[name];
      if (typeof payload === 'object') this.#collect(payload, event.id, [name], records);
    }
    return records;
  }

  /** The same for a chunk of a stream. */
  recordsForChunk(chunk: ChunkRecord): readonly KeyOrderRecord[] {
    const records: KeyOrderRecord[] = [];
    for (const part of CHUNK_PARTS) {
      const value = chunk[part];
      if (typeof value === 'object') this.#collect(value, chunk.call_id, chunkPath(chunk, part), records);
    }
    return records;
  }

  #collect(value: Json, eventId: string, path: PathSegment[], records: KeyOrderRecord[]): void {
    if (typeof value !== 'object' || value === null) return;
    if (isJsonObject(value)) {
      const keys = Object.keys(value);
      if (keys.length > 1) this.#note(keyShapeOf(keys), eventId, path, records);
      for (const key of keys) this.#part(value[key] as Json, eventId, path, key, records);
    } else {
      for (let i = 0; i < value.length; i++) this.#part(value[i] as Json, eventId, path, i, records);
    }
  }

  #part(part: Json, eventId: string, path: PathSegment[], at: string | number, records: KeyOrderRecord[]): void {
    if (typeof part !== 'object' || part === null) return;
    path.push(at);
    this.#collect(part, eventId, path, records);
    path.pop();
  }

  #note(shape: KeyShape, eventId: string, path: readonly PathSegment[], records: KeyOrderRecord[]): void {
    if (this.#holding.has(shape)) return;
    const { keys, sorted } = shape;
    const order = textOf(keys);
    const set = keys === sorted ? order : textOf(sorted);
    const known = this.#known.get(set);
    if (known === order) {
      this.#hold(shape);
    } else if (known === undefined && !this.#isFull) {
      this.#known.set(set, order);
      this.#hold(shape);
      if (set !== order) records.push({ type: 'key_order', keys });
    } else if (known !== undefined || set !== order) {
      records.push({ type: 'key_order', keys, event_id: eventId, path: toPointer(path) });
    }
  }

  #hold(shape: KeyShape): void {
    if (this.#holding.size < MAX_SHAPES) this.#holding.add(shape);
  }

  get #isFull(): boolean {
    return this.#known.size >= MAX_SHAPES;
  }
}

const CHUNK_PARTS = ['data', 'sent'] as const;

/** Where a chunk's key orders lie: beside its call's, since it is no event. */
function chunkPath({ index }: ChunkRecord, part: (typeof CHUNK_PARTS)[number]): PathSegment[] {
  return ['chunks', index, part];
}

/** The events, and the records, with the keys of their payloads in the order in which they were recorded. */
export function restoreKeyOrder(
  events: readonly TraceEvent[],
  runtime: readonly RuntimeRecord[],
): { readonly events: readonly TraceEvent[]; readonly runtime: readonly RuntimeRecord[] } {
  const shapes = new Map<string, readonly string[]>();
  const places = new Map<string, Map<string, readonly string[]>>();
  for (const record of runtime) {
    if (record.type !== 'key_order') continue;
    if (record.event_id === undefined) {
      shapes.set(textOf(sortKeys([...record.keys])), record.keys);
    } else {
      const ofEvent = places.get(record.event_id) ?? new Map<string, readonly string[]>();
      places.set(record.event_id, ofEvent.set(record.path ?? '', record.keys));
    }
  }
  if (shapes.size === 0 && places.size === 0) return { events, runtime };
  const restorer = (id: string): Restorer => new Restorer(shapes, places.get(id) ?? null);
  return {
    events: events.map((event) => restorer(event.id).event(event)),
    runtime: runtime.map((record) => (record.type === 'chunk' ? restorer(record.call_id).chunk(record) : record)),
  };
}

/** Puts one event's payloads in order. A record that does not fit an object's keys has no effect on it. */
class Restorer {
  readonly #shapes: ReadonlyMap<string, readonly string[]>;
  readonly #places: ReadonlyMap<string, readonly string[]> | null;

  constructor(shapes: ReadonlyMap<string, readonly string[]>, places: ReadonlyMap<string, readonly string[]> | null) {
    this.#shapes = shapes;
    this.#places = places;
  }

  event(event: TraceEvent): TraceEvent {
    const fields = event as unknown as { readonly [name: string]: Json | undefined };
    const restored: OpenObject = {};
    for (const { name } of PAYLOAD_FIELDS[event.type]) {
      const payload = fields[name];
      if (payload !== undefined) setKey(restored, name, this.#value(payload, this.#places === null ? '' : `/${name}`));
    }
    const copy = { ...event, ...restored } as TraceEvent;
    carryFloats(event as unknown as Json, copy as unknown as Json);
    return copy;
  }

  chunk(chunk: ChunkRecord): ChunkRecord {
    const restored: OpenObject = {};
    for (const part of CHUNK_PARTS) {
      const value = chunk[part];
      if (value === undefined) continue;
      const pointer = this.#places === null ? '' : toPointer(chunkPath(chunk, part));
      setKey(restored, part, this.#value(value, pointer));
    }
    const copy = { ...chunk, ...restored };
    carryFloats(chunk as unknown as Json, copy as unknown as Json);
    return copy;
  }

  #value(value: Json, pointer: string): Json {
    if (isJsonArray(value)) return value.map((item, index) => this.#value(item, this.#below(pointer, index)));
    return isJsonObject(value) ? this.#object(value, pointer) : value;
  }

  #object(object: { readonly [key: string]: Json }, pointer: string): Json {
    const copy: OpenObject = {};
    for (const key of this.#orderOf(object, pointer)) {
      setKey(copy, key, this.#value(object[key] as Json, this.#below(pointer, key)));
    }
    return copy;
  }

  #orderOf(object: { readonly [key: string]: Json }, pointer: string): readonly string[] {
    const keys = Object.keys(object);
    if (keys.length < 2) return keys;
    const set = textOf(keyShapeOf(keys).sorted);
    const place = this.#places?.get(pointer);
    if (place !== undefined && textOf(sortKeys([...place])) === set) return place;
    return this.#shapes.get(set) ?? keys;
  }

  /** Pointers are only made for an event that has places of its own. */
  #below(pointer: string, segment: string | number): string {
    return this.#places === null ? '' : `${pointer}/${escapePointer(String(segment))}`;
  }
}

function textOf(keys: readonly string[]): string {
  return jsonText(keys);
}
