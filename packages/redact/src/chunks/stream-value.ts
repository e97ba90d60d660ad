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
    const { chunks, returned } = cleanStream(stream, new ChunkPass(rules, memory), base, found);
    const around: Json = { ...value, chunks: [], ...(returned === undefined ? {} : { returned }) };
    const rest = pass(around, base, key);
    if (!isJsonObject(rest)) return rest;
    const isSame = rest === around && chunks === stream.chunks && returned === stream.returned;
    return isSame ? value : { ...rest, chunks };
  };
}

interface StreamParts {
  readonly chunks: readonly Json[];
  /** What a generator came to: the last that it says. */
  readonly returned?: Json;
}

/**
 * The parts of a recorded stream without their secrets; the same where they hold none.
 *
 * @param base where the stream stands, for what is found
 */
export function cleanStream(
  { chunks, returned }: StreamParts,
  pass: ChunkPass,
  base: readonly PathSegment[],
  found: Found[],
): StreamParts {
  const parts = returned === undefined ? chunks : [...chunks, returned];
  const clean = [...parts.flatMap((part) => pass.add(part)), ...pass.end()];
  for (const { index, found: places } of clean) {
    const place = index < chunks.length ? ['chunks', index] : ['returned'];
    for (const one of places) found.push({ ...one, path: [...base, ...place, ...one.path] });
  }
  const values = clean.map(({ value }) => value);
  const isSame = values.every((value, index) => value === parts[index]);
  if (isSame) return returned === undefined ? { chunks } : { chunks, returned };
  if (returned === undefined) return { chunks: values };
  return { chunks: values.slice(0, chunks.length), returned: values.at(-1) as Json };
}
