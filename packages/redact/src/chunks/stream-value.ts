import { isJsonObject, type Json, type PathSegment, streamOf } from '@stepfork/trace-format/write';
import type { CompiledRules } from '../compile.js';
import type { Found } from '../findings.js';
import type { SecretMemory } from '../memory/memory.js';
import { ChunkPass } from './chunk-pass.js';

/** What is done to a payload. */
export type PayloadPass = (value: Json, base: readonly PathSegment[], key: string | null) => Json;

/**
 * A pass over payloads that takes the chunks of a recorded stream for what they are, parts of texts that go on, and
 * leaves all else to another pass.
 */
export function throughStreams(
  rules: CompiledRules,
  memory: SecretMemory,
  found: Found[],
  pass: PayloadPass,
): PayloadPass {
  return (value, base, key) => {
    const stream = streamOf(value);
    if (stream === null || !isJsonObject(value)) return pass(value, base, key);
    const chunks = cleanChunks(stream.chunks, new ChunkPass(rules, memory), [...base, 'chunks'], found);
    const around: Json = { ...value, chunks: [] };
    const rest = pass(around, base, key);
    if (!isJsonObject(rest)) return rest;
    if (rest === around) return chunks === stream.chunks ? value : { ...value, chunks };
    return { ...rest, chunks };
  };
}

/**
 * The chunks without their secrets; the same list where they hold none.
 *
 * @param base where they stand, for what is found
 */
export function cleanChunks(
  chunks: readonly Json[],
  pass: ChunkPass,
  base: readonly PathSegment[],
  found: Found[],
): readonly Json[] {
  const clean = [...chunks.flatMap((chunk) => pass.add(chunk)), ...pass.end()];
  for (const { index, found: places } of clean) {
    for (const place of places) found.push({ ...place, path: [...base, index, ...place.path] });
  }
  return clean.some(({ value, index }) => value !== chunks[index]) ? clean.map(({ value }) => value) : chunks;
}
