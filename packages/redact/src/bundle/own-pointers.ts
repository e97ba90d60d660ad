import { isJsonArray, isJsonObject, type Json, type JsonObject, parsePointer } from '@stepfork/trace-format/write';

/** What a text of a bundle is known to be. */
export type TextKind = 'event' | 'manifest' | 'redactions' | 'integrity' | 'runtime' | 'other';

/** A JSON Pointer that the format itself put there. */
export interface OwnPointer {
  /** Where it stands, as a JSON Pointer. */
  readonly at: string;
  readonly keys: readonly string[];
}

/**
 * Takes the format's own JSON Pointers out of a value, so that they can be looked at key by key: strung together,
 * keys may look like what none of them is.
 */
export function takeOwnPointers(
  value: Json,
  kind: TextKind,
): { readonly rest: Json; readonly pointers: readonly OwnPointer[] } {
  const pointers: OwnPointer[] = [];
  const take = (pointer: Json, at: string): Json => {
    const keys = typeof pointer === 'string' ? parsePointer(pointer) : null;
    if (keys === null) return pointer;
    pointers.push({ at, keys });
    return '';
  };
  return { rest: isJsonObject(value) ? withoutPointers(value, kind, take) : value, pointers };
}

type Take = (pointer: Json, at: string) => Json;

function withoutPointers(value: JsonObject, kind: TextKind, take: Take): Json {
  switch (kind) {
    case 'event':
      return withList(value, 'redactions', (pointer, index) => take(pointer, `/redactions/${index}`));
    case 'redactions':
      return withList(value, 'entries', (entry, index) => withPath(entry, `/entries/${index}/path`, take));
    case 'runtime':
      return withPath(value, '/path', take);
    case 'manifest':
    case 'integrity':
    case 'other':
      return value;
  }
}

function withList(value: JsonObject, name: string, map: (item: Json, index: number) => Json): JsonObject {
  const list = Object.hasOwn(value, name) ? value[name] : undefined;
  return list !== undefined && isJsonArray(list) ? { ...value, [name]: list.map(map) } : value;
}

function withPath(value: Json, at: string, take: Take): Json {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'path')) return value;
  return { ...value, path: take(value.path as Json, at) };
}
