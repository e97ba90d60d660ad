import type { Json } from '@stepfork/trace-format/write';
import type { RedactedChunk, Redactor } from '../../src/index.js';

/** A text in pieces of a size. */
export function piecesOf(text: string, size: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

/** The chunks of one stream, as they are given out. */
export function chunked(redactor: Redactor, chunks: readonly Json[]): readonly RedactedChunk[] {
  const stream = redactor.openChunks();
  return [...chunks.flatMap((chunk) => stream.add(chunk)), ...stream.end()];
}

/** The texts of chunks that are texts, as one. */
export function assembled(chunks: readonly RedactedChunk[]): string {
  return chunks.map(({ value }) => value as string).join('');
}
