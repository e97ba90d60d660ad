import zlib from 'node:zlib';
import type { IncomingBody, Piece } from './incoming-body.js';

/** What one piece of a body says: nothing, where that is still to come. */
export interface Said {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null for what only its end brought out. */
  readonly piece: Piece | null;
}

/** So that an event is there as soon as it has come, and what was cut short as far as it goes. */
const GZIP = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const BROTLI = {
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};

type Decoder = ReturnType<typeof zlib.createGunzip>;

const DECODERS: Readonly<Record<string, (() => Decoder) | undefined>> = {
  gzip: () => zlib.createGunzip(GZIP),
  'x-gzip': () => zlib.createGunzip(GZIP),
  deflate: () => zlib.createInflate(GZIP),
  br: () => zlib.createBrotliDecompress(BROTLI),
};

/** What a body says, piece by piece as it came, whatever it was packed by. */
export async function* unpacked(body: IncomingBody, encodings: string | null): AsyncGenerator<Said, void, undefined> {
  const names = (encodings ?? '').toLowerCase().split(',').reverse();
  const unpackers = names.flatMap((name) => DECODERS[name.trim()] ?? []).map((make) => unpackerOf(make()));
  for (;;) {
    const { done, value: piece } = await body.next();
    let bytes: Uint8Array<ArrayBuffer> | null = piece === undefined ? null : Uint8Array.from(piece.bytes);
    for (const unpack of unpackers) bytes = await unpack(bytes, done === true);
    if (bytes !== null) yield { bytes, piece: piece ?? null };
    if (done === true) return;
  }
}

type Unpack = (bytes: Uint8Array | null, isLast: boolean) => Promise<Uint8Array<ArrayBuffer>>;

function unpackerOf(decoder: Decoder): Unpack {
  const out: Uint8Array[] = [];
  decoder.on('data', (bytes: Uint8Array) => out.push(bytes));
  return (bytes, isLast) =>
    new Promise((resolve, reject) => {
      const done = (): void => {
        decoder.off('error', reject);
        resolve(Uint8Array.from(Buffer.concat(out.splice(0))));
      };
      decoder.once('error', reject);
      if (isLast) decoder.once('end', done).end(bytes ?? undefined);
      else decoder.write(bytes, done);
    });
}
