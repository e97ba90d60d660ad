import { encodeValue, type Json, type JsonObject, type StreamKind } from '@stepfork/trace-format/write';

/** What a replay needs to know to give a stream of the same make. */
export interface StreamFacts {
  readonly object_mode?: boolean;
  readonly members?: Json;
}

export function streamFacts(kind: StreamKind, stream: object, redact: (value: Json) => Json): StreamFacts {
  if (kind === 'node') return { object_mode: (stream as { readableObjectMode?: unknown }).readableObjectMode === true };
  if (kind !== 'async-iterable') return {};
  const members = membersOf(stream);
  return Object.keys(members).length === 0 ? {} : { members: redact(members) };
}

/** The own members that are data, whole: methods and live objects cannot be given back. */
function membersOf(stream: object): JsonObject {
  const members: [string, Json][] = [];
  for (const [name, { value, enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(stream))) {
    if (enumerable !== true || value === undefined || typeof value === 'function') continue;
    const encoded = encodeValue({ [name]: value });
    if (encoded.placeholders.length === 0) members.push(...Object.entries(encoded.json as JsonObject));
  }
  return Object.fromEntries(members);
}
