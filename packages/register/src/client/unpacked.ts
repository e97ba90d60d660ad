import zlib from 'node:zlib';
import type { IncomingBody, Piece } from './incoming-body.js';

/** What one piece of a body says: nothing, where that is still to come. */
export interface Said {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null for what only its end brought out. */
  readonly piece: Piece | null;
  /** Why it could not be unpacked: from here on `bytes` are as they came. */
  readonly failed: Error | null;
}

/** So that an event is there as soon as it has come, and what was cut short as far as it goes. */
const GZIP = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const BROTLI = {
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};

type Decoder = ReturnType<typeof zlib.createGunzip>;

/** By the bytes that a body begins with. */
const DECODERS: Readonly<Record<string, ((begin: Uint8Array) => Decoder) | undefined>> = {
  gzip: () => zlib.createGunzip(GZIP),
  'x-gzip': () => zlib.createGunzip(GZIP),
  // Many servers leave out the frame that the name stands for.
  deflate: ([first = 0]) => ((first & 0x0f) === 8 ? zlib.createInflate(GZIP) : zlib.createInflateRaw(GZIP)),
  br: () => zlib.createBrotliDecompress(BROTLI),
};

/** Whether a body is packed by what nobody here unpacks: it is given as it came. */
export function isUnknown(encodings: string | null): boolean {
  return namesIn(encodings).some((name) => DECODERS[name] === undefined);
}

/** In the order in which they were applied. */
function namesIn(encodings: string | null): readonly string[] {
  const names = (encodings ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
}

/** What a body says, piece by piece as it came, whatever it was packed by. */
export async function* unpacked(body: IncomingBody, encodings: string | null): AsyncGenerator<Said, void, undefined> {
  const makes = isUnknown(encodings) ? [] : namesIn(encodings).flatMap((name) => DECODERS[name] ?? []);
  const unpackers = makes.reverse().map(unpackerOf);
  let failed: Error | null = null;
  for (;;) {
    const { done, value: piece = null } = await body.next();
    const came = piece === null ? null : Uint8Array.from(piece.bytes);
    let bytes: Uint8Array<ArrayBuffer> | null = came;
    try {
      if (failed === null) for (const unpack of unpackers) bytes = await unpack(bytes, done === true);
    } catch (error) {
      failed = error as Error;
      bytes = came ?? new Uint8Array();
    }
    if (bytes !== null) yield { bytes, piece, failed };
    if (done === true) return;
  }
}

type Unpack = (bytes: Uint8Array | null, isLast: boolean) => Promise<Uint8Array<ArrayBuffer>>;

function unpackerOf(make: (begin: Uint8Array) => Decoder): Unpack {
  const out: Uint8Array[] = [];
  let decoder: Decoder | null = null;
  return (bytes, isLast) =>
    new Promise((resolve, reject) => {
      if (decoder === null) {
        if (bytes === null || bytes.length === 0) return resolve(new Uint8Array());
        decoder = make(bytes);
        decoder.on('data', (piece: Uint8Array) => out.push(piece));
        // It is told to whoever waits, and may be told again.
        decoder.on('error', () => {});
      }
      const made = decoder;
      const done = (error?: Error | null): void => {
        made.off('error', reject);
        if (error) reject(error);
        else resolve(Uint8Array.from(Buffer.concat(out.splice(0))));
      };
      made.once('error', reject);
      if (isLast) made.once('end', done).end(bytes ?? undefined);
      else made.write(bytes ?? new Uint8Array(), done);
    });
}
