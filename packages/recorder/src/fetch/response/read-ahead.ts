import { clearTimeout, setImmediate, setTimeout } from '../../clock.js';

/**
 * For so long a document is waited for, so that it is recorded as the one that it is: its next piece, and all. Whoever
 * asked has no answer meanwhile, and may count the time.
 */
const PATIENCE_MS = { piece: 10, all: 50 };

/** A source of chunks, as a reader of a web stream is one. */
export interface Source {
  readonly read: () => Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  readonly cancel: (reason: unknown) => Promise<unknown> | undefined;
}

/** A body that is read before anybody has asked for it: all of it, or what gives first what was read and then the rest. */
export type ReadAhead =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly rest: null }
  | { readonly bytes: null; readonly rest: Source };

/** A web stream, or the Node stream of a library that is older than those. */
export function sourceOf(body: ReadableStream<Uint8Array>): Source {
  if (typeof body.getReader === 'function') {
    const reader = body.getReader();
    return { read: () => reader.read(), cancel: (reason) => reader.cancel(reason) };
  }
  const iterator = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  return { read: () => iterator.next(), cancel: () => iterator.return?.() };
}

/**
 * Reads a body to its end, where all of it is there at once: a document is recorded as one. Nobody is kept waiting for
 * one that is still to come. One that breaks off does so for the one who reads it, after what came before, and not here:
 * its head has come, and whoever takes that for a failed request makes another one.
 */
export async function readAhead(source: Source): Promise<ReadAhead> {
  const pieces: Uint8Array[] = [];
  const tooLong = after(PATIENCE_MS.all);
  try {
    for (;;) {
      const reading = source.read();
      const quiet = after(PATIENCE_MS.piece);
      const step = await Promise.race([reading, quiet.passed, tooLong.passed]).catch(() => null);
      quiet.clear();
      if (step === null) return { bytes: null, rest: goingOn(pieces, reading, source) };
      if (step.done === true || step.value === undefined) return { bytes: joined(pieces), rest: null };
      pieces.push(step.value);
    }
  } finally {
    tooLong.clear();
  }
}

type Step = Awaited<ReturnType<Source['read']>>;

/** A time in which all counts as come that is there at its end, though the process was busy. */
function after(ms: number): { readonly passed: Promise<null>; readonly clear: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<null>((resolve) => {
    timer = setTimeout(() => setImmediate(() => setImmediate(resolve, null)), ms);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

/** @param reading of the piece that did not come in time */
function goingOn(pieces: Uint8Array[], reading: Promise<Step>, source: Source): Source {
  reading.catch(() => {});
  let next: Promise<Step> | null = reading;
  return {
    read() {
      const piece = pieces.shift();
      if (piece !== undefined) return Promise.resolve({ done: false, value: piece });
      const step = next ?? source.read();
      next = null;
      return step;
    },
    cancel: (reason) => source.cancel(reason),
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}
