import { clearTimeout, nowMs, setTimeout } from '../../clock.js';

/** A document that is not all there after so long, or of which no piece comes for so long, is one that goes on. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 200;

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
 * Reads a body to its end, where that comes soon: a document is recorded as one. Nobody is kept waiting for one that has
 * no end, as that of a server that tells of changes.
 *
 * @throws what the body breaks off with
 */
export async function readAhead(source: Source): Promise<ReadAhead> {
  const pieces: Uint8Array[] = [];
  const until = nowMs() + PATIENCE_MS;
  for (;;) {
    const reading = source.read();
    const step = await within(reading, Math.min(PAUSE_MS, until - nowMs()));
    if (step === null) return { bytes: null, rest: goingOn(pieces, reading, source) };
    if (step.done === true || step.value === undefined) return { bytes: joined(pieces), rest: null };
    pieces.push(step.value);
  }
}

type Step = Awaited<ReturnType<Source['read']>>;

/** Null where it takes longer. */
function within(reading: Promise<Step>, ms: number): Promise<Step | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.max(0, ms), null);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
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
