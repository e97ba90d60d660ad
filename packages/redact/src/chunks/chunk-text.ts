import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type PathSegment,
  setKey,
} from '@stepfork/trace-format/write';
import { redactBase64 } from '../walk/bytes.js';

/** A text in a chunk. */
export interface ChunkText {
  readonly text: string;
  readonly path: readonly PathSegment[];
  /** Whether it is what binary data says, in Base64. */
  readonly isBytes: boolean;
}

/** What is to stand at the place of a text. */
export interface ChangedText extends Omit<ChunkText, 'text'> {
  readonly by: string;
}

/** The chunk with other texts at places. What lies on the way to them is copied. */
export function withTexts(chunk: Json, texts: readonly ChangedText[]): Json {
  const copies = new Set<Json>();
  const copied = (value: Json): Json => {
    if (copies.has(value)) return value;
    const copy = isJsonArray(value) ? value.slice() : { ...(value as JsonObject) };
    copies.add(copy);
    return copy;
  };
  const change = (value: Json, { path, isBytes, by }: ChangedText, depth: number): Json => {
    if (depth === path.length) return isBytes ? redactBase64(value as string, () => by) : by;
    if (!isJsonArray(value) && !isJsonObject(value)) return value;
    const copy = copied(value) as JsonObject;
    const segment = String(path[depth]);
    setKey(copy, segment, change(copy[segment] as Json, { path, isBytes, by }, depth + 1));
    return copy;
  };
  return texts.reduce((value, text) => change(value, text, 0), chunk);
}
