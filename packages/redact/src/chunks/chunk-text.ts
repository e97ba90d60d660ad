import { isJsonArray, isJsonObject, type Json, type PathSegment, setKey } from '@stepfork/trace-format/write';
import { redactBase64 } from '../walk/bytes.js';

/** A text in a chunk. */
export interface ChunkText {
  readonly text: string;
  readonly path: readonly PathSegment[];
  /** Whether it is what binary data says, in Base64. */
  readonly isBytes: boolean;
}

/** The chunk with another text at a place. What lies on the way to it is copied. */
export function withText(chunk: Json, { path, isBytes }: Omit<ChunkText, 'text'>, text: string): Json {
  const change = (value: Json, depth: number): Json => {
    if (depth === path.length) return isBytes ? redactBase64(value as string, () => text) : text;
    const segment = path[depth] as PathSegment;
    if (isJsonArray(value)) return value.map((item, index) => (index === segment ? change(item, depth + 1) : item));
    if (!isJsonObject(value)) return value;
    const copy = { ...value };
    setKey(copy, String(segment), change(value[segment as string] as Json, depth + 1));
    return copy;
  };
  return change(chunk, 0);
}
