import type { ChunkScan } from './chunk-scan.js';
import type { RecordedChunk } from './recorded-chunks.js';
import type { Hit, TextScan } from './text-scan.js';

interface Call {
  readonly chunks: ChunkScan;
  /** Where each chunk stands. */
  readonly lines: number[];
}

/** Looks at the streams whose chunks stand in the lines of a file, those of different calls between each other. */
export class StreamScan {
  readonly #scan: TextScan;
  readonly #calls = new Map<string, Call>();

  constructor(scan: TextScan) {
    this.#scan = scan;
  }

  add({ callId, data }: RecordedChunk, line: number): void {
    const call = this.#calls.get(callId) ?? { chunks: this.#scan.openChunks(), lines: [] };
    this.#calls.set(callId, call);
    call.lines.push(line);
    call.chunks.add(data);
  }

  end(): readonly (Hit & { readonly line: number })[] {
    return [...this.#calls].flatMap(([callId, { chunks, lines }]) =>
      chunks.end().map(({ index, path, rule }) => ({
        line: lines[index] as number,
        path: `/data${path}`,
        rule,
        ...this.#scan.idOf(callId),
      })),
    );
  }
}
