import { type Json, toPointer } from '@stepfork/trace-format/write';
import { ChunkPass, type CleanChunk } from '../chunks/chunk-pass.js';
import type { CompiledRules } from '../compile.js';
import { learningInto, type SecretMemory } from '../memory/memory.js';

/** A place in a chunk where a rule strikes. */
export interface ChunkHit {
  readonly index: number;
  /** From the chunk's root. */
  readonly path: string;
  readonly rule: string;
}

interface Pass {
  readonly chunks: ChunkPass;
  readonly taught: string[];
}

/** Looks at the chunks of one stream, whose texts go on from chunk to chunk. */
export class ChunkScan {
  readonly #passes: readonly Pass[];
  readonly #learn: (taught: readonly string[]) => void;
  /** By place; the first memory has the first say. */
  readonly #hits: Map<string, ChunkHit>[];

  /** @param memories asked one by one; what is found is learned by none of them */
  constructor(rules: CompiledRules, memories: readonly SecretMemory[], learn: (taught: readonly string[]) => void) {
    this.#passes = memories.map((memory) => {
      const taught: string[] = [];
      return { chunks: new ChunkPass(rules, learningInto(memory, taught)), taught };
    });
    this.#learn = learn;
    this.#hits = memories.map(() => new Map());
  }

  add(chunk: Json): void {
    this.#note((pass) => pass.add(chunk));
  }

  end(): readonly ChunkHit[] {
    this.#note((pass) => pass.end());
    const all = new Map<string, ChunkHit>();
    for (const hits of this.#hits) for (const [place, hit] of hits) if (!all.has(place)) all.set(place, hit);
    return [...all.values()].sort((a, b) => a.index - b.index);
  }

  #note(step: (pass: ChunkPass) => readonly CleanChunk[]): void {
    this.#passes.forEach(({ chunks, taught }, number) => {
      for (const { index, found } of step(chunks)) {
        for (const { path, rule } of found) this.#add(number, { index, path: toPointer(path), rule });
      }
      this.#learn(taught.splice(0));
    });
  }

  #add(number: number, hit: ChunkHit): void {
    const hits = this.#hits[number] as Map<string, ChunkHit>;
    const place = `${hit.index}${hit.path}`;
    if (!hits.has(place)) hits.set(place, hit);
  }
}
