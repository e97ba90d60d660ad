import type { TraceEvent } from '../event.js';
import { carryFloats } from '../json/float-marks.js';
import { hasSurrogate, isAscending, sortKeys } from '../json/key-order.js';
import { isJsonArray, isJsonObject, type OpenObject, setKey } from '../json/object.js';
import type { Json } from '../json.js';
import { escapePointer, type PathSegment, toPointer } from '../path.js';
import { PAYLOAD_FIELDS } from '../payloads.js';
import type { KeyOrderRecord, RuntimeRecord } from '../runtime.js';

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

  /** What has to be recorded before the event is written. */
  recordsFor(event: TraceEvent): readonly KeyOrderRecord[] {
    const records: KeyOrderRecord[] = [];
    for (const { name } of PAYLOAD_FIELDS[event.type]) {
      const payload = (event as unknown as { readonly [name: string]: Json | undefined })[name];
      if (typeof payload === 'object') this.#collect(payload, event.id, [name], records);
    }
    return records;
  }

  #collect(value: Json, eventId: string, path: PathSegment[], records: KeyOrderRecord[]): void {
    if (typeof value !== 'object' || value === null) return;
    if (isJsonObject(value)) {
      const keys = Object.keys(value);
      if (keys.length > 1) this.#note(keys, eventId, path, records);
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

  #note(keys: readonly string[], eventId: string, path: readonly PathSegment[], records: KeyOrderRecord[]): void {
    const order = shapeOf(keys);
    const isSorted = isAscending(keys) && !keys.some(hasSurrogate);
    const set = isSorted ? order : shapeOf(sortKeys([...keys]));
    const known = this.#known.get(set);
    if (known === order || (known === undefined && set === order && this.#isFull)) return;
    if (known === undefined && !this.#isFull) {
      this.#known.set(set, order);
      if (set !== order) records.push({ type: 'key_order', keys });
    } else {
      records.push({ type: 'key_order', keys, event_id: eventId, path: toPointer(path) });
    }
  }

  get #isFull(): boolean {
    return this.#known.size >= MAX_SHAPES;
  }
}

/** The events with the keys of their payloads in the order in which they were recorded. */
export function restoreKeyOrder(events: readonly TraceEvent[], runtime: readonly RuntimeRecord[]): TraceEvent[] {
  const shapes = new Map<string, readonly string[]>();
  const places = new Map<string, Map<string, readonly string[]>>();
  for (const record of runtime) {
    if (record.type !== 'key_order') continue;
    if (record.event_id === undefined) {
      shapes.set(shapeOf(sortKeys([...record.keys])), record.keys);
    } else {
      const ofEvent = places.get(record.event_id) ?? new Map<string, readonly string[]>();
      places.set(record.event_id, ofEvent.set(record.path ?? '', record.keys));
    }
  }
  if (shapes.size === 0 && places.size === 0) return [...events];
  return events.map((event) => new Restorer(shapes, places.get(event.id) ?? null).event(event));
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
    const set = shapeOf(sortKeys([...keys]));
    const place = this.#places?.get(pointer);
    if (place !== undefined && shapeOf(sortKeys([...place])) === set) return place;
    return this.#shapes.get(set) ?? keys;
  }

  /** Pointers are only made for an event that has places of its own. */
  #below(pointer: string, segment: string | number): string {
    return this.#places === null ? '' : `${pointer}/${escapePointer(String(segment))}`;
  }
}

function shapeOf(keys: readonly string[]): string {
  return JSON.stringify(keys);
}
