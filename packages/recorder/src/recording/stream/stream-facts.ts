import { encodeValue, type Json, type JsonObject, type StreamKind } from '@stepfork/trace-format/write';

/** What a replay needs to know to give a stream of the same make; as it is, not redacted. */
export interface StreamFacts {
  readonly object_mode?: boolean;
  readonly members?: Json;
  readonly acts?: true;
}

export function streamFacts(kind: StreamKind, stream: object): StreamFacts {
  if (kind === 'node') return { object_mode: (stream as { readableObjectMode?: unknown }).readableObjectMode === true };
  if (kind === 'web' || kind === 'web-bytes') return {};
  if (kind !== 'async-iterable') return { acts: true };
  const members = membersOf(stream);
  return Object.keys(members).length === 0 ? { acts: true } : { acts: true, members };
}

/** Steps of the iterator, which a replay has its own of. */
const STEPS = ['next', 'return', 'throw'];

/** The own members, read without a getter. One that is no data is a placeholder: touching it ends a replay. */
function membersOf(stream: object): JsonObject {
  const members: Record<string, unknown> = Object.create(null);
  for (const [name, { value, enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(stream))) {
    if (enumerable === true && value !== undefined && !STEPS.includes(name)) members[name] = value;
  }
  return encodeValue(members).json as JsonObject;
}
