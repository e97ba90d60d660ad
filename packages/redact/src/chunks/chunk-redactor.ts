import type { Finding, Json } from '@stepfork/trace-format/write';
import type { CompiledRules } from '../compile.js';
import { toFindings } from '../findings.js';
import type { SecretMemory } from '../memory/memory.js';
import { ChunkPass, type CleanChunk } from './chunk-pass.js';

/** A chunk without its secrets, and where they were. */
export interface RedactedChunk {
  /** Which of the chunks it is, from 0. */
  readonly index: number;
  readonly value: Json;
  /** Paths from the chunk's root. */
  readonly findings: readonly Finding[];
}

/**
 * Redacts the chunks of one stream. The pieces of a text in successive chunks are one text, whether or not others take
 * turns with it: a secret that is spread over chunks is replaced in the first of them and cut out of the others. What
 * follows the chunks, such as a generator's return value, may be added as a last one.
 */
export interface ChunkRedactor {
  /**
   * Takes the next chunk, and answers those that may be written now, in order: usually this one. Chunks are held back
   * as long as a text of theirs may be a part of a secret that is not complete.
   */
  readonly add: (chunk: Json) => readonly RedactedChunk[];
  /** Answers the rest. Nothing is added afterwards. */
  readonly end: () => readonly RedactedChunk[];
}

export function openChunkRedactor(rules: CompiledRules, memory: SecretMemory): ChunkRedactor {
  const pass = new ChunkPass(rules, memory);
  return { add: (chunk) => pass.add(chunk).map(redacted), end: () => pass.end().map(redacted) };
}

function redacted({ index, value, found }: CleanChunk): RedactedChunk {
  return { index, value, findings: toFindings(found) };
}
